import { MARKS } from '../report/wording.ts';
import type { Progress } from '../run/progress.ts';

export interface ProgressOutput {
  write(text: string): void;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Shows what is going on: one line that is rewritten, or where that cannot be, a line for each thing gone wrong. */
export function showProgress(output: ProgressOutput): (progress: Progress) => void {
  return (progress) => {
    if (output.isTTY) return output.write(rewrite(progress, output.columns ?? 80));
    if (progress.kind === 'start') output.write(`starting; ${progress.total} checks\n`);
    if (progress.kind !== 'result') return;
    const { id, outcome, reason } = progress.result;
    const isWrong = outcome === 'fail' || outcome === 'warn';
    if (isWrong) output.write(`${MARKS[outcome]} ${id} ${reason ?? ''}\n`);
    else if (progress.index % QUIET_STEP === 0) output.write(`${progress.index} of ${progress.total} done\n`);
  };
}

/** How often a quiet log hears that all is well. */
const QUIET_STEP = 50;

const CLEAR_LINE = '\r\u001b[2K';

function rewrite(progress: Progress, columns: number): string {
  if (progress.kind === 'start') return `${CLEAR_LINE}starting…`;
  if (progress.kind === 'check') {
    const text = `[${progress.index}/${progress.total}] ${progress.id} ${progress.says}`;
    return `${CLEAR_LINE}${text.slice(0, columns - 1)}`;
  }
  return progress.index === progress.total ? CLEAR_LINE : '';
}
