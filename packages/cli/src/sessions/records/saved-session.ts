import { createHash, randomBytes } from 'node:crypto';
import type { SessionRecord } from '@parley/store';
import { OWN_AGENT } from '../../agents/resolve-agent.ts';
import { isRecord } from '../../config/check-config.ts';
import type { SessionMeta } from '../../run/settings/session-meta.ts';
import { readWorker, type Worker } from './worker.ts';

/** A session that can be found again. */
export interface SavedSession {
  /** What a person types: ours for sessions that were opened here, else the agent's own. */
  readonly id: string;
  readonly name?: string;
  /** The agent's name or command line. */
  readonly agent: string;
  /** The command that the agent was started with, for when its name leads nowhere any more. */
  readonly command?: string;
  /** The agent's own id. Undefined until the session was opened for the first time. */
  readonly agentSessionId?: string;
  /** The id of its log, and so of the session of ours: the agent's own for our agent. Undefined where there is none yet. */
  readonly logId?: string;
  readonly cwd: string;
  readonly title: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly events: number;
  readonly isClosed: boolean;
  /** Settings to make again each time the session is opened. */
  readonly settings: Readonly<Record<string, string | boolean>>;
  readonly mode?: string;
  /** What is asked of the agent each time the session is opened. */
  readonly meta?: SessionMeta;
  /** How the last turn ended. */
  readonly lastStopReason?: string;
  /** Whether we keep a record; without one it is a session of our own agent that some other client opened. */
  readonly isRecorded: boolean;
  /** The process that works in it, or was killed at it. */
  readonly worker?: Worker;
}

/** What is kept in a record beside what the store itself keeps. */
export interface RecordFacts {
  readonly name?: string;
  readonly agent: string;
  readonly command?: string;
  readonly agentSessionId?: string;
  /** The id of the log, where the agent is another one and is hosted. */
  readonly hosted?: string;
  readonly settings?: Readonly<Record<string, string | boolean>>;
  readonly mode?: string;
  readonly meta?: SessionMeta | undefined;
  readonly lastStopReason?: string;
}

/** Whether the conversation itself is in our own agent's log. */
export function isOwn({ agent }: { readonly agent: string }): boolean {
  return agent === OWN_AGENT;
}

/** A short id that people can type. */
export function newRecordId(): string {
  return randomBytes(5).toString('hex');
}

/** The same for a session that is to be the only one of its name. */
export function idOfName(
  { agent, cwd, name = '' }: { readonly agent: string; readonly cwd: string; readonly name?: string | undefined },
  place: number,
): string {
  return createHash('sha256')
    .update(JSON.stringify([agent, cwd, name, place]))
    .digest('hex')
    .slice(0, 10);
}

/** The log that a record is about: one of our own agent, or of a hosted one. */
export function logIdOf({ metadata }: SessionRecord): {
  readonly isOfOwn: boolean;
  readonly logId?: string | undefined;
} {
  const { agent, agentSessionId, hosted } = readFacts(metadata);
  const isOfOwn = isOwn({ agent });
  return { isOfOwn, logId: isOfOwn ? agentSessionId : hosted };
}

/** A record of ours as a session; `log` is the record of its log. */
export function fromRecord(record: SessionRecord, log?: SessionRecord): SavedSession {
  const { id, cwd, title, createdAtMs, updatedAtMs, head, isArchived } = record;
  const { hosted: _, ...facts } = readFacts(record.metadata);
  const workers = [...(log ? [log] : []), record].flatMap((each) => readWorker(each) ?? []);
  const worker = workers.find(({ isThere }) => isThere) ?? workers[0];
  const { logId } = logIdOf(record);
  const agentSessionId = (log && hostedSessionIdOf(log)) ?? facts.agentSessionId;
  return {
    ...facts,
    ...(worker && { worker }),
    ...(logId !== undefined && { logId }),
    ...(agentSessionId !== undefined && { agentSessionId }),
    id,
    cwd,
    title: log?.title ?? title,
    createdAtMs,
    updatedAtMs: Math.max(updatedAtMs, log?.updatedAtMs ?? 0),
    events: log?.head ?? head,
    isClosed: isArchived,
    isRecorded: true,
  };
}

/** A session of our own agent of which we have no record. */
export function fromOwnLog(own: SessionRecord): SavedSession {
  const { id, cwd, title, createdAtMs, updatedAtMs, head, isArchived } = own;
  const worker = readWorker(own);
  return {
    ...(worker && { worker }),
    id,
    agent: OWN_AGENT,
    agentSessionId: id,
    logId: id,
    cwd,
    title,
    createdAtMs,
    updatedAtMs,
    events: head,
    isClosed: isArchived,
    settings: {},
    isRecorded: false,
  };
}

export function toMetadata(facts: RecordFacts): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** Nothing about stored metadata is certain: another version may have written it. */
function readFacts(
  metadata: Readonly<Record<string, unknown>>,
): Omit<RecordFacts, 'meta'> & Pick<SavedSession, 'settings' | 'meta'> {
  const { name, agent, command, agentSessionId, hosted, settings, mode, meta, lastStopReason } = metadata;
  return {
    agent: typeof agent === 'string' ? agent : OWN_AGENT,
    settings: isRecord(settings) ? (settings as SavedSession['settings']) : {},
    ...(typeof name === 'string' && { name }),
    ...(typeof command === 'string' && { command }),
    ...(typeof agentSessionId === 'string' && { agentSessionId }),
    ...(typeof hosted === 'string' && { hosted }),
    ...(typeof mode === 'string' && { mode }),
    ...(isRecord(meta) && { meta }),
    ...(typeof lastStopReason === 'string' && { lastStopReason }),
  };
}

/** What a host keeps with a session: the agent's own id of it. */
export function hostedState(agentSessionId: string | undefined): Readonly<Record<string, unknown>> {
  return { state: agentSessionId === undefined ? {} : { hosted: { sessionId: agentSessionId } } };
}

function hostedSessionIdOf({ metadata }: SessionRecord): string | undefined {
  const { hosted } = (metadata.state ?? {}) as { readonly hosted?: { readonly sessionId?: unknown } };
  return typeof hosted?.sessionId === 'string' ? hosted.sessionId : undefined;
}
