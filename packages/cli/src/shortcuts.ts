import { usageError } from '@parley/host/command-line';
import type { Command } from 'commander';
import { COMMANDS } from './commands/list.ts';

/** A command line that begins as people know it from other agents. */
export interface Shortcut {
  /** What it stands for: `exec`, `prompt -s <session>`, `chat --continue`. */
  readonly command: readonly string[];
  /** What came before the flag, and what came behind it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const PRINT = ['-p', '--print'];
const CONTINUE = ['-c', '--continue'];
const RESUME = ['-r', '--resume'];

/** Reads `-p`, `-c` and `--resume`; undefined where there are none, or a command is named, which has its own flags. */
export function readShortcut(program: Command, argv: readonly string[]): Shortcut | undefined {
  const before: string[] = [];
  const after: string[] = [];
  let [isPrint, isContinued, isResumed] = [false, false, false];
  let resume: string | undefined;
  const dashes = argv.includes('--') ? argv.indexOf('--') : argv.length;
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    const [flag = '', value] = word.split(/=(.*)/s, 2);
    const others = isPrint || isContinued || isResumed ? after : before;
    if (index >= dashes) others.push(word);
    else if (PRINT.includes(word)) isPrint = true;
    else if (CONTINUE.includes(word)) isContinued = true;
    else if (RESUME.includes(flag)) {
      isResumed = true;
      const next = argv[index + 1];
      resume = value;
      if (value === undefined && next !== undefined && !next.startsWith('-')) {
        resume = next;
        index += 1;
      }
    } else {
      if (COMMANDS.some(({ name }) => name === word) && others === before) return undefined;
      others.push(word);
      const takesValue = program.options.some(({ required, long, short }) => required && [long, short].includes(word));
      if (takesValue && index + 1 < dashes) others.push(argv[++index] ?? '');
    }
  }
  if (!isPrint && !isContinued && !isResumed) return undefined;
  if (isContinued && isResumed) throw usageError('--continue and --resume say two things; one is enough.');
  if (!isPrint) {
    return { command: ['chat', ...(isContinued ? ['--continue'] : ['--resume', ...listOf(resume)])], before, after };
  }
  if (isResumed && resume === undefined) {
    throw usageError('--resume with -p needs the session: nobody is asked which.', 'parley sessions list');
  }
  const session = resume === undefined ? [] : ['-s', resume];
  return { command: isContinued || isResumed ? ['prompt', ...session] : ['exec'], before, after };
}

function listOf(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}
