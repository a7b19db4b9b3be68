import type { ContentBlock } from '@parley/protocol';
import type { TurnResult } from '@parley/session';
import type { Meta } from '../peer/agent-peer.ts';
import type { TurnEvent } from './turn-event.ts';

/** One prompt and everything until its stop reason. Read its events as they come, or only await `result`. */
export interface Turn extends AsyncIterable<TurnEvent> {
  readonly prompt: readonly ContentBlock[];
  /** `steering`: sent into the turn that runs, which has not taken it. Once it has, both run, and end together. */
  readonly state: 'queued' | 'steering' | 'running' | 'ended';
  /** How it ended. Rejects when the agent answered with an error or was lost. */
  readonly result: Promise<TurnResult>;
  /** Asks the agent to end it, or takes it out of the queue; a second call stops waiting. Resolves when it has ended. */
  cancel(options?: { readonly meta?: Meta }): Promise<void>;
}

export interface CancelOptions {
  /** Leaves prompts that wait where they are. Default: they are dropped. */
  readonly keepQueue?: boolean;
  /** `_meta` of `session/cancel`. */
  readonly meta?: Meta | undefined;
}

/** Cancels a turn when a signal aborts, for as long as the turn runs. */
export function cancelOnAbort(turn: Turn, signal: AbortSignal): void {
  const onAbort = (): void => void turn.cancel();
  signal.addEventListener('abort', onAbort, { once: true });
  const release = (): void => signal.removeEventListener('abort', onAbort);
  turn.result.then(release, release);
}
