import { type ProcessExit, spawnChild } from '@parley/host/process';
import { GraderError } from './grader-error.ts';

export interface ProgramRun {
  readonly argv: readonly string[];
  /** As the person wrote it. */
  readonly shown: string;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables for our own programs, which read them from a pipe. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly onLog: (text: string) => void;
  /** What it reads on stdin. */
  readonly input: string;
  readonly signal?: AbortSignal | undefined;
}

export interface ProgramEnd extends ProcessExit {
  readonly output: string;
  readonly stderrTail: string;
}

/** Most that a grader may write. */
const MAX_OUTPUT_CHARACTERS = 16 * 1024 * 1024;
const TERM_GRACE_MS = 500;
/** How long the last output may lag behind the exit. */
const OUTPUT_GRACE_MS = 1000;

/** Runs the program of a grader to its end, and ends it with all that it has started. */
export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  const { argv, shown, timeoutMs, env, secrets, cwd, onLog, input, signal } = run;
  const [command = '', ...args] = argv;
  const child = await spawnChild({
    command,
    args,
    env,
    ...(secrets && { secrets }),
    cwd,
    eofGraceMs: 0,
    termGraceMs: TERM_GRACE_MS,
    recordsDir: false,
    onStderr: onLog,
  }).catch((cause: unknown) => {
    throw new GraderError(`The grader ${shown} could not be started: ${(cause as Error).message}`, cause);
  });
  let output = '';
  let isTooLong = false;
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    if (output.length + text.length <= MAX_OUTPUT_CHARACTERS) output += text;
    else isTooLong = true;
  });
  const read = new Promise<void>((resolve) => child.stdout.once('close', resolve).on('error', () => resolve()));
  // A grader that does not read all of its input has its reasons.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const end = await raceWithTime(child.exited, timeoutMs, signal);
  // In any case nothing of it stays; what it started could go on otherwise.
  await child.stop();
  if (end === 'timeout') throw new GraderError(`The grader ${shown} took longer than ${timeoutMs} ms.`);
  if (end === 'aborted') throw signal?.reason;
  await Promise.race([read, new Promise((resolve) => setTimeout(resolve, OUTPUT_GRACE_MS).unref())]);
  if (isTooLong && end.code === 0)
    throw new GraderError(`Grader ${shown} wrote more than ${MAX_OUTPUT_CHARACTERS} characters.`);
  return { ...end, output, stderrTail: child.stderrTail };
}

function raceWithTime<Value>(
  work: Promise<Value>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Value | 'timeout' | 'aborted'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('timeout'), timeoutMs);
    const onAbort = (): void => resolve('aborted');
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  });
}
