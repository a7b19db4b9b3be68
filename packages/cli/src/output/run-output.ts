import type { PhaseEvent, SilenceReport, Transcript, TurnEvent } from '@parley/client';
import type { RunOutcome } from './run-outcome.ts';

/** Where a run tells what happens: one for each `--format`. */
export interface RunOutput {
  /** Whether every protocol message is wanted. */
  readonly wantsMessages: boolean;
  onMessage(direction: 'in' | 'out', message: unknown): void;
  onPhase(event: PhaseEvent): void;
  onSilence(report: SilenceReport): void;
  /** A session is open. */
  onSession(sessionId: string, agent: string): void;
  /** `transcript` has the event already. */
  onEvent(event: TurnEvent, transcript: Transcript): void;
  /** Something odd that was lived through, or a word to the person. */
  onNotice(text: string): void;
  /** The run is over, well or badly. */
  onEnd(outcome: RunOutcome, end: RunEnd): void | Promise<void>;
}

export interface RunEnd {
  /** The text of the outcome, in pieces that nobody has to copy. */
  readonly text: Iterable<string>;
  /** Once it has aborted, no reader is waited for. */
  readonly signal: AbortSignal;
}
