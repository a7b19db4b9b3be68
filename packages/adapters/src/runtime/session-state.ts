import type { Session } from '@parley/agent';

/** What is kept of a command with its session, so that a later process goes on with it. */
export interface CommandState {
  /** The session of the command itself. */
  readonly sessionId?: string;
  /** How many turns were begun. */
  readonly turns: number;
}

export function readState({ state }: Session): CommandState {
  const { sessionId, turns } = (typeof state.command === 'object' && state.command !== null ? state.command : {}) as {
    readonly sessionId?: unknown;
    readonly turns?: unknown;
  };
  return { turns: typeof turns === 'number' ? turns : 0, ...(typeof sessionId === 'string' && { sessionId }) };
}
