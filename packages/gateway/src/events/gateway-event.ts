import type { AgentDiagnostic } from '@parley/agent';
import type { ClientDiagnostic } from '@parley/client';
import type { CloseReason } from '@parley/jsonrpc';
import type { Answer, Question } from '@parley/session';

/**
 * Something that has happened in a gateway, for logs, metrics and audits. It may hold what people and agents said (a question, a
 * diagnostic): whoever writes it down redacts it.
 */
export type GatewayEvent =
  | ClientConnected
  | ClientLeft
  | ClientRefused
  | Prompted
  | RequestEnded
  | SessionOpened
  | SessionClosed
  | TurnStarted
  | TurnEnded
  | QuestionAsked
  | QuestionAnswered
  | QuestionWithdrawn
  | SettingChanged
  | AgentStarted
  | AgentStopped
  | AgentCrashed
  | Capped
  | StateChanged
  | StoreChanged
  | AuditFailed
  | Diagnostic;

interface EventFields {
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What a client does, or what is done for it. */
interface ClientFields extends EventFields {
  readonly principal: string;
  /** The name of the agent in this gateway. */
  readonly agent: string;
}

interface ConnectionFields extends ClientFields {
  /** One connection of a client, while it lasts. */
  readonly connection: string;
}

interface SessionFields extends ClientFields {
  readonly sessionId: string;
}

export interface ClientConnected extends ConnectionFields {
  readonly kind: 'client_connected';
  /** By which wire; undefined for one that was handed to `serve`. */
  readonly via?: string;
  readonly remote?: string;
}

export interface ClientLeft extends ConnectionFields {
  readonly kind: 'client_left';
  readonly reason: CloseReason['kind'];
  /** Why the wire failed. */
  readonly error?: Error;
  readonly durationMs: number;
}

/** A request or a connection that was not let in. Those that come too fast are told together. */
export interface ClientRefused extends EventFields {
  readonly kind: 'client_refused';
  /** Of HTTP; undefined for a client that was handed to `serve`. */
  readonly status?: number;
  readonly message: string;
  readonly method?: string;
  readonly path?: string;
  readonly remote?: string;
  readonly principal?: string;
  /** How many more there were since the last that was told. */
  readonly suppressed: number;
  readonly error?: unknown;
}

/** A client has sent a prompt; what it says is nobody's business here. */
export interface Prompted extends ConnectionFields {
  readonly kind: 'prompted';
  readonly sessionId: string;
  /** How much text and data it holds. */
  readonly characters: number;
}

/** A request has come to its end, in either direction. */
export interface RequestEnded extends ConnectionFields {
  readonly kind: 'request';
  /** `in`: the client asked. `out`: the client was asked. */
  readonly direction: 'in' | 'out';
  readonly method: string;
  readonly id: string | number;
  readonly sessionId?: string;
  readonly durationMs: number;
  /** `refused`: by the gateway, for a cap or since it drains. `dropped`: the connection ended first. */
  readonly outcome: 'ok' | 'error' | 'refused' | 'dropped';
  /** Of the error. */
  readonly code?: number;
}

export interface SessionOpened extends SessionFields {
  readonly kind: 'session_opened';
}

export interface SessionClosed extends SessionFields {
  readonly kind: 'session_closed';
  readonly end: 'closed' | 'left' | 'deleted' | 'reopened';
}

export interface TurnStarted extends SessionFields {
  readonly kind: 'turn_started';
  readonly turnId: string;
}

export interface TurnEnded extends SessionFields {
  readonly kind: 'turn_ended';
  readonly turnId: string;
  readonly durationMs: number;
  /** The stop reason; undefined when it failed. */
  readonly stopReason?: string;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface QuestionAsked extends SessionFields {
  readonly kind: 'question_asked';
  readonly question: Question;
}

export interface QuestionAnswered extends SessionFields {
  readonly kind: 'question_answered';
  readonly question: Question;
  readonly answer: Answer;
  /** The client that answered, by the name that it gave itself. */
  readonly by: string;
  readonly durationMs: number;
}

/** Nobody needs an answer any more. */
export interface QuestionWithdrawn extends SessionFields {
  readonly kind: 'question_withdrawn';
  readonly question: Question;
  readonly durationMs: number;
}

export interface SettingChanged extends SessionFields {
  readonly kind: 'settings_changed';
  readonly setting: string;
  readonly value: string | boolean;
}

interface ProcessFields extends EventFields {
  readonly agent: string;
  /** One process, while it lasts. */
  readonly process: string;
  /** Whose it is, where it serves one principal only. */
  readonly principal?: string;
  readonly pid?: number;
}

export interface AgentStarted extends ProcessFields {
  readonly kind: 'agent_started';
}

/** The gateway has ended it: it was idle, or the gateway closes. */
export interface AgentStopped extends ProcessFields {
  readonly kind: 'agent_stopped';
}

/** It has ended by itself, or could not be started. */
export interface AgentCrashed extends ProcessFields {
  readonly kind: 'agent_crashed';
  readonly error: unknown;
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A principal has come to one of its caps. Told once for each time that it does so. */
export interface Capped extends EventFields {
  readonly kind: 'capped';
  readonly principal: string;
  readonly agent?: string;
  readonly cap: 'connections' | 'sessions' | 'processes' | 'bytesPerSecond' | 'requestsPerSecond';
  readonly limit: number;
}

export interface StateChanged extends EventFields {
  readonly kind: 'state_changed';
  readonly state: 'ready' | 'draining' | 'closed';
}

/** The store cannot be written any more, or can again. */
export interface StoreChanged extends EventFields {
  readonly kind: 'store_changed';
  readonly isWritable: boolean;
  readonly error?: unknown;
}

/** The audit log cannot be written. Told once, until it can again; what could not be written is counted there. */
export interface AuditFailed extends EventFields {
  readonly kind: 'audit_failed';
  readonly error: unknown;
}

export interface Diagnostic extends EventFields {
  readonly kind: 'diagnostic';
  readonly agent: string;
  readonly diagnostic: AgentDiagnostic | ClientDiagnostic;
}
