import type { Shape } from '@parley/host/json-files';
import { AMOUNT, COUNT, type FieldsOf, listOf, NUMBER, openObject, optional, required, TEXT, TEXTS } from './format.ts';
import { PERMISSION, type PermissionRecord } from './permission.ts';

/** What is known of one attempt at a case besides what the agent said and did. */
export interface AttemptFacts {
  /** Why the agent stopped, of the last turn. */
  readonly stopReason?: string;
  /** What kept the attempt from coming to its end. */
  readonly failure?: FailureKind;
  /** What went wrong, in sentences. */
  readonly errors?: readonly string[];
  /** Why there is no score although there is a grader. The attempt itself is whole. */
  readonly graderError?: string;
  /** Tokens of all turns. */
  readonly usage?: Usage;
  readonly cost?: Cost;
  /** Every permission that the agent asked for. */
  readonly permissions?: readonly PermissionRecord[];
  /** How well the agent kept to the protocol. */
  readonly protocol?: ProtocolQuality;
  readonly workspace?: WorkspaceRecord;
  readonly sessionId?: string;
}

/**
 * `timeout`: it took too long. `start`: the agent could not be started or its session not opened. `agent`: it answered with an error.
 * `died`: it ended in the middle. `workspace`: there was no place to work in.
 */
export type FailureKind = 'timeout' | 'start' | 'agent' | 'died' | 'workspace';

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens?: number;
  readonly thoughtTokens?: number;
  readonly cachedReadTokens?: number;
  readonly cachedWriteTokens?: number;
}

export interface Cost {
  readonly amount: number;
  readonly currency: string;
}

export interface ProtocolQuality {
  /** The version of ACP that was spoken. */
  readonly version?: number;
  /** Messages that are no JSON-RPC or break the schema. */
  readonly invalidMessages: number;
  /** Rules of the protocol that were broken otherwise. */
  readonly brokenRules: number;
  /** Lines on the agent's output that are no messages. */
  readonly noiseLines: number;
  /** Calls that had to be made again. */
  readonly retries: number;
  /** Updates for sessions that are not open. */
  readonly foreignUpdates: number;
  /** The first of them, in words. */
  readonly problems?: readonly string[];
}

export interface WorkspaceRecord {
  /** `shared`: the folder of the run. */
  readonly kind: 'shared' | 'empty' | 'template' | 'worktree';
  /** Where it was. */
  readonly path: string;
  /** Whether it is still there. */
  readonly isKept: boolean;
  readonly changes?: WorkspaceChanges;
}

/** What the agent changed in its workspace. */
export interface WorkspaceChanges {
  readonly files: readonly ChangedFile[];
  readonly insertions: number;
  readonly deletions: number;
  /** For `git apply`, unless it is too long. */
  readonly patch?: string;
}

export interface ChangedFile {
  readonly path: string;
  /** Absent for files that are no text. */
  readonly insertions?: number;
  readonly deletions?: number;
}

const usage = openObject<Usage>({
  inputTokens: required(COUNT, 'read'),
  outputTokens: required(COUNT, 'written'),
  totalTokens: optional(COUNT, 'together'),
  thoughtTokens: optional(COUNT, 'of those written, thought'),
  cachedReadTokens: optional(COUNT, 'of those read, from the cache'),
  cachedWriteTokens: optional(COUNT, 'written to the cache'),
});

const protocolQuality = openObject<ProtocolQuality>({
  version: optional(COUNT, 'of ACP'),
  invalidMessages: required(COUNT, 'messages that are no JSON-RPC or break the schema'),
  brokenRules: required(COUNT, 'rules of the protocol that were broken otherwise'),
  noiseLines: required(COUNT, "lines on the agent's output that are no messages"),
  retries: required(COUNT, 'calls that had to be made again'),
  foreignUpdates: required(COUNT, 'updates for sessions that are not open'),
  problems: optional(TEXTS, 'the first of them, in words'),
});

const workspaceRecord = openObject<WorkspaceRecord>({
  kind: required({ type: 'choice', values: ['shared', 'empty', 'template', 'worktree'] }, 'what it was made from'),
  path: required(TEXT, 'where it was'),
  isKept: required({ type: 'boolean' }, 'whether it is still there'),
  changes: optional(
    openObject<WorkspaceChanges>({
      files: required(
        listOf(
          openObject<ChangedFile>({
            path: required(TEXT, 'from the workspace on'),
            insertions: optional(COUNT, 'lines added'),
            deletions: optional(COUNT, 'lines removed'),
          }),
        ),
        'those that differ',
      ),
      insertions: required(COUNT, 'lines added'),
      deletions: required(COUNT, 'lines removed'),
      patch: optional(TEXT, 'for git apply'),
    }),
    'what the agent changed in it',
  ),
});

export const ATTEMPT_FIELDS: FieldsOf<AttemptFacts> = {
  stopReason: optional(TEXT, 'why the agent stopped, of the last turn'),
  failure: optional(TEXT, 'what kept it from its end: timeout, start, agent, died or workspace'),
  errors: optional(TEXTS, 'what went wrong, in sentences'),
  graderError: optional(TEXT, 'why there is no score although there is a grader'),
  usage: optional(usage, 'tokens of all turns'),
  cost: optional(
    openObject<Cost>({ amount: required(NUMBER, 'how much'), currency: required(TEXT, 'ISO 4217') }),
    'what it cost',
  ),
  permissions: optional(listOf(PERMISSION), 'every permission that the agent asked for'),
  protocol: optional(protocolQuality, 'how well the agent kept to the protocol'),
  workspace: optional(workspaceRecord, 'where it worked'),
  sessionId: optional(TEXT, "the agent's id of the session"),
};

/** Which harness wrote a line. */
export interface HarnessFacts {
  readonly name: string;
  readonly version: string;
}

export const HARNESS: Shape = openObject<HarnessFacts>({
  name: required(TEXT, 'its name'),
  version: required(TEXT, 'its version'),
});

/** How long things took, in milliseconds; `start` and `end` since 1970. */
export interface Timing {
  readonly start: number;
  readonly end: number;
  /** Until the agent's first sign of work. */
  readonly firstResponse?: number;
  /** Starting the agent and opening the session. */
  readonly sessionCreation: number;
  readonly total: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

export const TIMING: Shape = openObject<Timing>({
  start: required(AMOUNT, 'when it began, in milliseconds since 1970'),
  end: required(AMOUNT, 'when it ended'),
  firstResponse: optional(AMOUNT, "milliseconds until the agent's first sign of work"),
  sessionCreation: required(AMOUNT, 'milliseconds to start the agent and open the session'),
  total: required(AMOUNT, 'milliseconds of it all'),
  inputTokens: optional(COUNT, 'tokens read'),
  outputTokens: optional(COUNT, 'tokens written'),
});
