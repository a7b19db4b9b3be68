import type { ProcessExit } from '@parley/host/process';
import { LineProcess } from '../process/line-process.ts';
import type { RecordedLine } from '../replay/recorded-lines.ts';

export interface RecordCommandOptions {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What is written to its stdin, which then ends. */
  readonly input?: string;
  readonly onLine?: (line: RecordedLine) => void;
  readonly onStderr?: (text: string) => void;
  readonly signal?: AbortSignal;
}

export interface Recording {
  readonly lines: readonly RecordedLine[];
  readonly exit: ProcessExit;
}

/** Runs a command to its end, and keeps the lines that it writes with their times. */
export async function recordCommand(options: RecordCommandOptions): Promise<Recording> {
  const { argv, cwd, env = process.env, input, onLine, onStderr, signal } = options;
  const startedAt = performance.now();
  const lines: RecordedLine[] = [];
  const running = await LineProcess.start({ argv, cwd, env, isText: false, ...(onStderr && { onStderr }) });
  const stop = (): void => void running.stop();
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  running.listen({
    onLine: (line) => {
      const recorded = { ms: Math.round(performance.now() - startedAt), line };
      lines.push(recorded);
      onLine?.(recorded);
    },
    onText: () => {},
    onLongLine: (characters) => onStderr?.(`A line of ${characters} characters was left out: it is too long.\n`),
    onPause: () => {},
  });
  if (input !== undefined) running.write(input);
  running.endInput();
  const exit = await running.ended;
  signal?.removeEventListener('abort', stop);
  return { lines, exit };
}
