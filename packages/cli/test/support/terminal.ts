import { spawn } from '@lydell/node-pty';
import type { ParleyTests } from './parley.ts';

export interface TerminalRun {
  readonly code: number;
  /** Everything that reached the terminal. */
  readonly output: string;
}

/**
 * Runs the command in a real terminal, whose output so far is shown to `type` whenever there is more: it says what to
 * type. The shell around it waits, because a terminal whose last process has gone may lose its last words.
 */
export async function runInTerminal(
  parley: ParleyTests,
  args: readonly string[],
  type: (output: string) => string = () => '',
  columns = 120,
): Promise<TerminalRun> {
  const script = `"$0" "$@"; printf '${END}%s.' $?; exec sleep 600`;
  const terminal = spawn('sh', ['-c', script, process.execPath, parley.program, ...args], {
    cols: columns,
    rows: 40,
    cwd: parley.folder,
    env: { ...parley.env, TERM: 'xterm-256color' },
  });
  let output = '';
  const code = await new Promise<number>((resolve) => {
    terminal.onData((data) => {
      output += data;
      const ended = ENDED.exec(output);
      if (ended) return resolve(Number(ended[1]));
      const keys = type(output);
      if (keys !== '') terminal.write(keys);
    });
  });
  const gone = new Promise<void>((resolve) => terminal.onExit(() => resolve()));
  terminal.kill('SIGKILL');
  await gone;
  return { code, output: output.slice(0, output.lastIndexOf(END)) };
}

const END = '<the command has ended with ';
const ENDED = new RegExp(`${END}(\\d+)\\.`);
