import type { PhaseEvent, SilenceReport } from '@parley/client';
import { createStyles, hasColor, shortLine } from '@parley/terminal';
import type { CliContext } from '../context.ts';

/** Says on stderr what we are waiting for, once a second has passed. */
export interface Progress {
  onPhase(event: PhaseEvent): void;
  onSilence(report: SilenceReport): void;
  say(text: string): void;
}

export function createProgress(
  context: CliContext,
  { isSilent = false }: { readonly isSilent?: boolean } = {},
): Progress {
  const { dim } = createStyles(hasColor(context, context.stderr));
  const say = (text: string): void => {
    if (!isSilent) context.stderr.write(`${dim(text)}\n`);
  };
  return {
    say,
    onPhase({ phase, status, agent, elapsedMs, deadlineMs, stderrTail }) {
      if (status !== 'waiting') return;
      const limit = Number.isFinite(deadlineMs) ? ` of ${Math.round(deadlineMs / 1000)} s` : '';
      const words = shortLine(stderrTail?.trim().split('\n').at(-1) ?? '');
      say(`waiting for ${agent}: ${describePhase(phase)} (${Math.round(elapsedMs / 1000)} s${limit})`);
      if (words !== '') say(`  it says: ${words}`);
    },
    onSilence({ message }) {
      say(shortLine(message));
    },
  };
}

function describePhase(phase: PhaseEvent['phase']): string {
  return phase === 'spawn' ? 'start' : phase;
}
