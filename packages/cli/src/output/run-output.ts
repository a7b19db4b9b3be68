import type { PhaseEvent, SilenceReport, Transcript, TurnEvent } from '@parley/client';
import type { RunOutcome } from '../run/outcome.ts';

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
  onEnd(outcome: RunOutcome): void;
}
