import { isAsciiOnly } from '@parley/terminal';

/** The signs that stand in the first column. That column is ours alone: what an agent writes is always indented. */
export interface Marks {
  readonly prompt: string;
  readonly done: string;
  readonly failed: string;
  readonly cancelled: string;
  readonly pending: string;
  /** Shown one after the other while something runs. */
  readonly running: readonly string[];
  readonly question: string;
  readonly notice: string;
  readonly remark: string;
  readonly rule: string;
  readonly separator: string;
  readonly arrow: string;
}

const UNICODE: Marks = {
  prompt: '›',
  done: '✓',
  failed: '✗',
  cancelled: '⊘',
  pending: '○',
  running: ['◐', '◓', '◑', '◒'],
  question: '?',
  notice: '!',
  remark: '·',
  rule: '─',
  separator: '·',
  arrow: '→',
};

const ASCII: Marks = {
  prompt: '>',
  done: '+',
  failed: 'x',
  cancelled: '-',
  pending: 'o',
  running: ['|', '/', '-', '\\'],
  question: '?',
  notice: '!',
  remark: '-',
  rule: '-',
  separator: '|',
  arrow: '->',
};

/** Unicode where the locale says that the terminal can show it. */
export function chooseMarks(env: Readonly<Record<string, string | undefined>>): Marks {
  return isAsciiOnly(env) ? ASCII : UNICODE;
}
