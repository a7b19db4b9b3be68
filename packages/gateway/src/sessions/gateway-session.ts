import type { Question } from '@parley/session';

/** A session as a list of sessions shows it. */
export interface GatewaySession {
  readonly agent: string;
  readonly sessionId: string;
  readonly title?: string;
  readonly cwd: string;
  /** When something last happened in it, in milliseconds since 1970. */
  readonly updatedAt: number;
  /** `waiting`: somebody has to answer. `running`: the agent works. `done`: nothing goes on. */
  readonly state: 'running' | 'waiting' | 'done';
  /** What the agent asks, and nobody has answered. */
  readonly questions: readonly Question[];
}

export interface SessionsQuery {
  readonly principal: string;
  /** Only sessions of this agent. */
  readonly agent?: string;
  /** Only sessions of exactly this working directory. */
  readonly cwd?: string;
  /** Default: 200. */
  readonly limit?: number;
}

export interface SessionsPage {
  /** By last activity, newest first. */
  readonly sessions: readonly GatewaySession[];
  readonly hasMore: boolean;
}

/** A session that is new or otherwise than before, or that is there no more. */
export type SessionChange =
  | { readonly type: 'session'; readonly session: GatewaySession }
  | { readonly type: 'removed'; readonly agent: string; readonly sessionId: string };
