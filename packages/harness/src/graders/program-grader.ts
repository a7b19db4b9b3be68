import { spawnChild } from '@parley/host/process';
import type { JsonFunction } from './grader.ts';
import { GraderError } from './grader-error.ts';

export interface ProgramGraderOptions {
  readonly argv: readonly string[];
  /** As the person wrote it. */
  readonly shown: string;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where it runs, unless the attempt has a folder. */
  readonly cwd: string;
  readonly onLog: (text: string) => void;
}

/** Most that a grader may write. */
const MAX_OUTPUT_CHARACTERS = 16 * 1024 * 1024;
/** How much of a wrong answer is shown. */
const MAX_SHOWN_CHARACTERS = 100;

/** A program that is started for each call: JSON on stdin, JSON on stdout. Ends with all that it has started. */
export function programGrader(options: ProgramGraderOptions): JsonFunction {
  return {
    call: (params, signal) => callProgram(options, params, signal),
    async [Symbol.asyncDispose]() {},
  };
}

async function callProgram(options: ProgramGraderOptions, params: unknown, signal?: AbortSignal): Promise<unknown> {
  const { argv, shown, timeoutMs, env, cwd, onLog } = options;
  const [command = '', ...args] = argv;
  const child = await spawnChild({
    command,
    args,
    env,
    cwd: folderOf(params) ?? cwd,
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
  child.stdin.end(JSON.stringify(params));
  const end = await raceWithTime(child.exited, timeoutMs, signal);
  // In any case nothing of it stays; what it started could go on otherwise.
  await child.stop();
  if (end === 'timeout') throw new GraderError(`The grader ${shown} took longer than ${timeoutMs} ms.`);
  if (end === 'aborted') throw signal?.reason;
  await Promise.race([read, new Promise((resolve) => setTimeout(resolve, OUTPUT_GRACE_MS).unref())]);
  const { code, signal: killedBy } = end;
  if (code !== 0) {
    const how = code === null ? `was ended by ${killedBy}` : `exited with code ${code}`;
    const words = child.stderrTail.trim();
    throw new GraderError(`Grader ${shown} ${how}${words === '' ? '.' : `: ${words}`}`);
  }
  if (isTooLong) throw new GraderError(`Grader ${shown} wrote more than ${MAX_OUTPUT_CHARACTERS} characters.`);
  return parseOutput(output, shown);
}

const TERM_GRACE_MS = 500;
/** How long the last output may lag behind the exit. */
const OUTPUT_GRACE_MS = 1000;

/** A grader works where the agent did. */
function folderOf(params: unknown): string | undefined {
  const { cwd } = params as { readonly cwd?: unknown };
  return typeof cwd === 'string' ? cwd : undefined;
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

/** The whole output, or its last line where a grader says something else before. */
function parseOutput(output: string, shown: string): unknown {
  const text = output.trim();
  if (text === '') throw new GraderError(`Grader ${shown} produced no output.`);
  for (const candidate of [text, text.slice(text.lastIndexOf('\n') + 1)]) {
    try {
      return JSON.parse(candidate);
    } catch {
      // The next candidate, or the error below.
    }
  }
  throw new GraderError(`The output of grader ${shown} is not valid JSON: ${text.slice(0, MAX_SHOWN_CHARACTERS)}`);
}
