import type { Session } from '@parley/agent';
import type { TokenCount } from '../reading/signal.ts';

/** What is kept of a command with its session, so that a later process goes on with it. */
export interface CommandState {
  /** The session of the command itself. */
  readonly sessionId?: string;
  /** How many turns were begun. */
  readonly turns: number;
  /** What the command has counted so far, where it counts from the beginning of its session. */
  readonly tokens?: Readonly<Partial<Record<TokenCount, number>>>;
}

export function readState({ state }: Session): CommandState {
  const { sessionId, turns, tokens } = (
    typeof state.command === 'object' && state.command !== null ? state.command : {}
  ) as {
    readonly sessionId?: unknown;
    readonly turns?: unknown;
    readonly tokens?: unknown;
  };
  return {
    turns: typeof turns === 'number' ? turns : 0,
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(typeof tokens === 'object' && tokens !== null && { tokens }),
  };
}
