import type { JsonFunction } from './grader.ts';
import { GraderError } from './grader-error.ts';
import { type ProgramRun, runProgram } from './run-program.ts';

/** How much of a wrong answer is shown. */
const MAX_SHOWN_CHARACTERS = 100;

/** A program that is started for each call: JSON on stdin, JSON on stdout. It runs in `cwd`, unless the attempt has a folder. */
export function programGrader(options: Omit<ProgramRun, 'input' | 'signal'>): JsonFunction {
  return {
    async call(params, signal) {
      const cwd = folderOf(params) ?? options.cwd;
      const input = JSON.stringify(params);
      return readResult(await runProgram({ ...options, cwd, input, signal }), options.shown);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** A grader works where the agent did. */
function folderOf(params: unknown): string | undefined {
  const { cwd } = params as { readonly cwd?: unknown };
  return typeof cwd === 'string' ? cwd : undefined;
}

/** The JSON of a program that ended well: the whole output, or its last line where a grader says something else before. */
function readResult(
  { code, signal, output, stderrTail }: Awaited<ReturnType<typeof runProgram>>,
  shown: string,
): unknown {
  if (code !== 0) {
    const how = code === null ? `was ended by ${signal}` : `exited with code ${code}`;
    const words = stderrTail.trim();
    throw new GraderError(`Grader ${shown} ${how}${words === '' ? '.' : `: ${words}`}`);
  }
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
