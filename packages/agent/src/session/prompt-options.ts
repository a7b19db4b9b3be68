import type { ClientPeer } from '../contract/client-peer.ts';

export type WhenBusy = 'refuse' | 'queue' | 'steer';

export interface PromptOptions {
  /** The client that asks. */
  readonly peer: ClientPeer;
  /** Who it is, for others to see. */
  readonly by: string;
  /** Aborts when the client withdraws the prompt, or is gone. */
  readonly signal: AbortSignal;
  /** Aborts when the client cancels the prompt, which is then answered as cancelled. */
  readonly cancelled: AbortSignal;
  /** What becomes of the turn when the client is gone. */
  readonly whenClientLeaves: 'cancel' | 'keep';
  /** What becomes of the prompt while a turn runs: it may wait for its end, or be taken by it where the agent can. */
  readonly whenBusy: WhenBusy;
  /** The prompt is part of the conversation now, and of a turn. Never called for one that was cancelled before that. */
  readonly onInserted?: ((promptId: string, turnId: string) => void) | undefined;
}
