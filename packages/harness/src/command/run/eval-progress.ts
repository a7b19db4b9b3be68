import type { CommandContext } from '@parley/host/command-line';
import { createStyles, hasColor, shortLine, shortReason } from '@parley/terminal';
import type { Tally, Verdict } from './tally.ts';

/** Tells on stderr how far a run is: one line that changes on a terminal, a line for each attempt elsewhere. */
export interface EvalProgress extends Disposable {
  onAttempt(attempt: ShownAttempt): void;
  say(text: string): void;
}

export interface ShownAttempt {
  readonly name: string;
  readonly verdict: Verdict;
  readonly ms: number;
  /** Why it did not pass. */
  readonly because?: string | undefined;
}

export interface EvalProgressOptions {
  readonly tally: Tally;
  /** Attempts there will be; undefined while nobody knows. */
  readonly total: number | undefined;
  readonly isSilent: boolean;
}

/** How often a line that changes is drawn. */
const DRAW_EVERY_MS = 200;

export function createEvalProgress(context: CommandContext, options: EvalProgressOptions): EvalProgress {
  const { tally, total, isSilent } = options;
  const startedAt = Date.now();
  const isTerminal = context.stderr.isTTY === true && context.env.TERM !== 'dumb';
  const { dim, good, bad } = createStyles(hasColor(context, context.stderr));
  const of = total === undefined ? '' : `/${total}`;
  const paint = (verdict: Verdict): string =>
    verdict === 'passed' || verdict === 'done' ? good(verdict) : bad(verdict);
  // Only this line moves the cursor, and nothing that an agent says gets into it; other writers to a terminal may not.
  const draw = (line: string): void => void process.stderr.write(`\r\u001B[K${line}`);
  const timer =
    isTerminal && !isSilent
      ? setInterval(() => draw(statusLine(tally, total, Date.now() - startedAt, context.stderr.columns)), DRAW_EVERY_MS)
      : undefined;
  timer?.unref();
  return {
    onAttempt({ name, verdict, ms, because = '' }) {
      if (isSilent) return;
      const isBad = verdict !== 'passed' && verdict !== 'done';
      if (isTerminal && !isBad) return;
      if (isTerminal) draw('');
      const why = isBad && because !== '' ? `: ${shortReason(because)}` : '';
      const line = `${tally.total}${of} ${shortLine(name, 60)} ${paint(verdict)} ${dim(`in ${(ms / 1000).toFixed(1)} s`)}${why}\n`;
      context.stderr.write(line);
    },
    say(text) {
      if (timer) draw('');
      context.stderr.write(`${dim(text)}\n`);
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      if (timer) draw('');
    },
  };
}

/** `12/40  30 %  9 passed, 3 failed  2.1/min  13 min left` */
export function statusLine(tally: Tally, total: number | undefined, elapsedMs: number, columns = 80): string {
  const done = tally.total;
  const perMinute = elapsedMs > 0 ? (done * 60_000) / elapsedMs : 0;
  const left = total === undefined || done === 0 ? undefined : ((total - done) * elapsedMs) / done;
  const parts = [
    total === undefined ? `${done}` : `${done}/${total}  ${total === 0 ? 100 : Math.floor((done * 100) / total)} %`,
    tally.describe(),
    done === 0 ? '' : `${perMinute.toFixed(1)}/min`,
    left === undefined || total === done ? '' : `${describeDuration(left)} left`,
  ];
  return parts
    .filter(Boolean)
    .join('  ')
    .slice(0, Math.max(10, columns - 1));
}

export function describeDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
