import type { RequestId, Response } from '@parley/jsonrpc';
import { type Fields, isRecord } from '../fields.ts';
import type { DialectName } from '../names.ts';
import type { DialectChoice, DialectOptions } from '../options.ts';
import type { Outcome } from './outcome.ts';
import type { TurnContent } from './turn-content.ts';

/** How much one connection remembers. Beyond a limit the oldest entry is forgotten, and passes untranslated. */
export const DIALECT_LIMITS: DialectLimits = {
  maxPendingRequests: 10_000,
  maxSessions: 1_000,
  maxToolCalls: 1_000,
  maxTerminals: 1_000,
  maxTurnCharacters: 16 * 1024 * 1024,
};

export interface DialectLimits {
  readonly maxPendingRequests: number;
  readonly maxSessions: number;
  /** In one session. */
  readonly maxToolCalls: number;
  readonly maxTerminals: number;
  /** Of one turn's answer, kept to recognise its repetition in the prompt's result. */
  readonly maxTurnCharacters: number;
}

/** Everything a dialect knows about one connection. Plain data; each function that changes it takes it as an argument. */
export interface DialectState {
  readonly options: DialectOptions;
  choice: DialectChoice;
  /** ACP v2 has no dialects: everything passes as it is. */
  isVersion2: boolean;
  clientCapabilities: Fields;
  agentCapabilities: Fields;
  /** The modes that a `pharo` agent told in its answer to `initialize`, in canonical words. */
  agentModes: readonly Fields[];
  hasPeerInfo: boolean;
  /** The peer's requests that we have not answered. */
  readonly received: Map<RequestId, PendingRequest>;
  /** Our requests that the peer has not answered. */
  readonly sent: Map<RequestId, PendingRequest>;
  /** Questions we put to our own side to complete an answer, and what to do when it is there. */
  readonly ownRequests: Map<RequestId, (response: Response) => Outcome>;
  readonly sessions: Map<string, SessionState>;
  /** The session of the last message: most messages belong to the same one as the message before. */
  latest: { readonly sessionId: string; readonly session: SessionState } | undefined;
  readonly terminals: Map<string, TerminalState>;
}

export interface PendingRequest {
  readonly method: string;
  /** In canonical words, without prompt and file content. */
  readonly params: Fields;
  /** The peer's option ids and ours, where a permission question had to be reduced. */
  optionIds?: ReadonlyMap<string, string>;
  /** A request that the dialect needs and our side has not made: its answer goes no further. */
  readonly isOwn?: boolean;
}

export interface SessionState {
  cwd: string | undefined;
  mcpServers: readonly unknown[];
  modes: Fields | undefined;
  configOptions: readonly unknown[];
  /** The mode that an `elephant` client was told last, where an option of ours stands for its modes. */
  toldModeId: unknown;
  /** What is known of each tool call, in canonical words. */
  readonly toolCalls: Map<string, Record<string, unknown>>;
  /** The running turn, if one runs. */
  turn: TurnContent | undefined;
}

export interface TerminalState {
  command: string | undefined;
  output: string | undefined;
  exitCode: number | undefined;
  /** It was started over this connection, and nothing has told that it ended. */
  isRunning: boolean;
  /** Kept here because `pharo` cannot be told. */
  outputByteLimit: number | undefined;
}

export function createDialectState(options: DialectOptions): DialectState {
  const isAuto = options.dialect === 'auto';
  return {
    options,
    choice: isAuto
      ? { dialect: 'canonical', because: 'no message has shown another dialect yet', isCertain: false }
      : { dialect: options.dialect as DialectName, because: 'configured', isCertain: true },
    isVersion2: false,
    clientCapabilities: {},
    agentCapabilities: {},
    agentModes: [],
    hasPeerInfo: false,
    received: new Map(),
    sent: new Map(),
    ownRequests: new Map(),
    sessions: new Map(),
    latest: undefined,
    terminals: new Map(),
  };
}

/** What is worth remembering of a request until it is answered: not what was said or written. */
export function pendingRequest(method: string, params: Fields): PendingRequest {
  const isHeavy = method === 'session/prompt' || method === 'fs/write_text_file';
  return { method, params: isHeavy ? { sessionId: params.sessionId } : params };
}

/** The session a message belongs to; a nameless one is not remembered. */
export function sessionOf(state: DialectState, params: unknown): SessionState {
  const sessionId = isRecord(params) ? params.sessionId : undefined;
  if (typeof sessionId !== 'string') return createSession();
  if (state.latest?.sessionId === sessionId) return state.latest.session;
  const session = state.sessions.get(sessionId) ?? createSession();
  // Put at the end, so that the session forgotten beyond the limit is the one that was silent longest.
  state.sessions.delete(sessionId);
  remember(state.sessions, sessionId, session, DIALECT_LIMITS.maxSessions);
  state.latest = { sessionId, session };
  return session;
}

export function terminalOf(state: DialectState, terminalId: unknown): TerminalState {
  const known = typeof terminalId === 'string' ? state.terminals.get(terminalId) : undefined;
  if (known) return known;
  const terminal: TerminalState = {
    command: undefined,
    output: undefined,
    exitCode: undefined,
    isRunning: false,
    outputByteLimit: undefined,
  };
  if (typeof terminalId === 'string') remember(state.terminals, terminalId, terminal, DIALECT_LIMITS.maxTerminals);
  return terminal;
}

/** Remembers an entry and forgets the oldest one beyond the limit. */
export function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, limit: number): void {
  map.set(key, value);
  if (map.size <= limit) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

/** Tells whoever listens what could not be carried. */
export function note(state: DialectState, row: `D${number}` | undefined, text: string): void {
  state.options.onNote?.(row === undefined ? { text } : { row, text });
}

function createSession(): SessionState {
  return {
    cwd: undefined,
    mcpServers: [],
    modes: undefined,
    configOptions: [],
    toldModeId: undefined,
    toolCalls: new Map(),
    turn: undefined,
  };
}
