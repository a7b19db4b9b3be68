import type { PhaseEvent, SilenceReport, TurnEvent } from '@parley/client';
import type { Format } from '../config/config.ts';
import type { CliContext } from '../context.ts';
import type { RunOutcome } from '../run/outcome.ts';
import type { SharedFlags } from '../run/shared-flags.ts';

/** Where a run tells what happens: one for each `--format`. */
export interface RunOutput {
  /** Whether every protocol message is wanted. */
  readonly wantsMessages: boolean;
  onMessage(direction: 'in' | 'out', message: unknown): void;
  onPhase(event: PhaseEvent): void;
  onSilence(report: SilenceReport): void;
  /** A session is open. */
  onSession(sessionId: string, agent: string): void;
  onEvent(event: TurnEvent): void;
  /** Something odd that was lived through, or a word to the person. */
  onNotice(text: string): void;
  /** The run is over, well or badly. */
  onEnd(outcome: RunOutcome): void;
}

export interface RunOutputOptions {
  readonly format: Format;
  readonly flags: SharedFlags;
  readonly isQuietAboutProgress: boolean;
}

/** The output for a format; only the code of that one is loaded. */
export async function createRunOutput(options: RunOutputOptions, context: CliContext): Promise<RunOutput> {
  switch (options.format) {
    case 'json':
      return (await import('./json-output.ts')).createJsonOutput(options, context);
    case 'quiet':
      return (await import('./quiet-output.ts')).createQuietOutput(context);
    case 'text':
      return (await import('./text-output.ts')).createTextOutput(options, context);
  }
}
