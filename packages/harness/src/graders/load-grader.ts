import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { didYouMean } from '@parley/host/json-files';
import { HarnessError } from '../errors.ts';
import type { Format } from '../formats/format.ts';
import {
  type ComparisonGraderParams,
  type ComparisonGraderResult,
  comparisonGraderResult,
  type GraderParams,
  graderResult,
} from '../formats/grader.ts';
import { DEFAULT_GRADER_TIMEOUT_MS, type Grader, type GraderFunction, type JsonFunction } from './grader.ts';
import { GraderError } from './grader-error.ts';
import { findProgram } from './interpreters.ts';
import { startModule } from './module-grader.ts';
import { programGrader } from './program-grader.ts';
import { findReadyGrader, READY_GRADERS } from './ready/list.ts';
import type { ParleyStart } from './ready/ready-grader.ts';

export interface LoadGraderOptions {
  /** What relative paths begin from, and where programs run. Default: this process's folder. */
  readonly cwd?: string;
  /** How long one call may take. Default: a minute. */
  readonly timeoutMs?: number;
  /** Hears what graders write to stderr, and modules to stdout as well. */
  readonly onLog?: (text: string) => void;
  /** Default: this process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How the grader `judge` starts Parley. Default: `parley`, with `env`. */
  readonly parley?: ParleyStart;
}

/** Judges how several runs did on one case. */
export interface ComparisonGrader extends AsyncDisposable {
  readonly name: string;
  compare(params: ComparisonGraderParams, options?: { readonly signal?: AbortSignal }): Promise<ComparisonGraderResult>;
}

/**
 * A grader by its name (`contains:Paris`, of `READY_GRADERS`) or by its path: a module (`.js`, `.mjs`, `.cjs`, `.ts`, `.mts`) that exports `grade`, or any program that reads JSON on stdin and writes JSON on stdout. Throws
 * at once when it cannot be used at all.
 */
export async function loadGrader(path: string, options: LoadGraderOptions = {}): Promise<Grader> {
  const ready = await findReady(path, options);
  const calls = ready ?? (await openFunction(path, ['grade', 'default'], options));
  return {
    name: path,
    grade: async (params, { signal } = {}) => checked(graderResult, await calls.call(params, signal), path),
    [Symbol.asyncDispose]: () => calls[Symbol.asyncDispose](),
  };
}

/** A comparison grader by its path: as a grader, but a module may export `compare` as well. */
export async function loadComparisonGrader(path: string, options: LoadGraderOptions = {}): Promise<ComparisonGrader> {
  const calls = await openFunction(path, ['compare', 'grade', 'default'], options);
  return {
    name: path,
    async compare(params, { signal } = {}) {
      const result = checked(comparisonGraderResult, await calls.call(params, signal), path);
      const stranger = result.rankings.find(({ run }) => !Object.hasOwn(params.runs, run));
      if (stranger) throw new GraderError(`The grader ${path} ranks "${stranger.run}", which is none of the runs.`);
      return result;
    },
    [Symbol.asyncDispose]: () => calls[Symbol.asyncDispose](),
  };
}

/** A function as a grader. Its results are checked as those of any other. */
export function graderOf(
  grade: GraderFunction,
  { timeoutMs = DEFAULT_GRADER_TIMEOUT_MS }: LoadGraderOptions = {},
): Grader {
  return {
    name: grade.name || 'grader',
    async grade(params) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new GraderError(`The grader took longer than ${timeoutMs} ms.`)), timeoutMs);
      });
      try {
        return checked(graderResult, await Promise.race([grade(params), late]), 'function');
      } catch (error) {
        if (error instanceof GraderError) throw error;
        throw new GraderError(`The grader failed: ${(error as Error)?.message ?? error}`, error);
      } finally {
        clearTimeout(timer);
      }
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** The built-in grader that a word means; a file of that name counts more. */
async function findReady(word: string, options: LoadGraderOptions): Promise<JsonFunction | undefined> {
  const found = findReadyGrader(word);
  const { cwd = process.cwd(), env = process.env } = options;
  if (existsSync(resolve(cwd, word))) return undefined;
  if (!found) throw notFound(word);
  const grade = found.grader.open(found.argument, {
    shown: word,
    cwd,
    env,
    timeoutMs: checkedTimeout(options),
    onLog: options.onLog ?? (() => {}),
    parley: options.parley ?? { command: ['parley'], env },
  });
  return {
    call: async (params, signal) => grade(params as GraderParams, signal),
    async [Symbol.asyncDispose]() {},
  };
}

function notFound(word: string): HarnessError {
  const names = READY_GRADERS.map(({ name }) => name);
  const known = `There is no such file, and the built-in graders are ${names.join(', ')}.`;
  const meant = didYouMean(word.split(':', 1)[0] ?? '', names);
  return new HarnessError('grader_unusable', `Grader not found: ${word}. ${known}${meant}`);
}

function checkedTimeout({ timeoutMs = DEFAULT_GRADER_TIMEOUT_MS }: LoadGraderOptions): number {
  if (timeoutMs > 0) return timeoutMs;
  throw new HarnessError('options_invalid', 'The time limit of a grader is above 0 ms.');
}

async function openFunction(path: string, names: readonly string[], options: LoadGraderOptions): Promise<JsonFunction> {
  const { cwd = process.cwd(), onLog = () => {}, env = process.env } = options;
  const timeoutMs = checkedTimeout(options);
  const found = await findProgram(path, cwd);
  if (found.kind === 'module') return startModule({ path: found.path, shown: path, cwd, names, timeoutMs, onLog });
  return programGrader({ argv: found.argv, shown: path, timeoutMs, env, cwd, onLog });
}

function checked<Value>(format: Format<Value>, value: unknown, shown: string): Value {
  try {
    return format.parse(value);
  } catch (error) {
    throw new GraderError(`The result of the grader ${shown} cannot be used: ${(error as Error).message}`, error);
  }
}
