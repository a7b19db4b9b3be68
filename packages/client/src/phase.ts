/** A stretch of the way to a session, each with a deadline of its own. */
export type Phase =
  | 'spawn'
  | 'initialize'
  | 'authenticate'
  | 'session/new'
  | 'session/load'
  | 'session/resume'
  | 'session/fork';

export interface PhaseEvent {
  readonly phase: Phase;
  /** `waiting` comes after a second, and then every five, for as long as the phase lasts. */
  readonly status: 'started' | 'waiting' | 'done' | 'failed';
  readonly agent: string;
  readonly elapsedMs: number;
  /** When the phase will be given up. */
  readonly deadlineMs: number;
  /** The agent's last words on stderr, while we wait. */
  readonly stderrTail?: string;
  readonly error?: unknown;
}

/** How long each phase may take, in milliseconds; `Infinity` for as long as it likes. */
export type Deadlines = { readonly [Name in Phase]: number };

/**
 * Real agents take up to a minute to answer `initialize`, so a short limit would only be wrong; the `waiting` events
 * show that something is going on. Logging in may need a person with a browser.
 */
export const DEFAULT_DEADLINES: Deadlines = {
  spawn: 60_000,
  initialize: 60_000,
  authenticate: 300_000,
  'session/new': 60_000,
  'session/load': 120_000,
  'session/resume': 60_000,
  'session/fork': 60_000,
};
