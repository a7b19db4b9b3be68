import { HarnessError } from '../../errors.ts';
import type { GraderParams, GraderResult } from '../../formats/grader.ts';
import { GraderError } from '../grader-error.ts';

/** A grader that comes with this package: `name`, or `name:argument`. */
export interface ReadyGrader {
  readonly name: string;
  /** What it does, in a line. */
  readonly says: string;
  /** Throws `HarnessError` for an argument that cannot be used. Without an argument, the hint of each case takes its place. */
  open(argument: string | undefined, options: ReadyGraderOptions): ReadyGraderFunction;
}

export type ReadyGraderFunction = (params: GraderParams, signal?: AbortSignal) => GraderResult | Promise<GraderResult>;

export interface ReadyGraderOptions {
  /** As the person wrote it. */
  readonly shown: string;
  /** Where commands run for attempts without a folder. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onLog: (text: string) => void;
  readonly parley: ParleyStart;
}

/** How Parley is started for the grader `judge`. */
export interface ParleyStart {
  readonly command: readonly string[];
  /** With the keys of the judge's model; it reads them from a pipe. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Right or wrong, with the reason. */
export function verdict(pass: boolean, right: string, wrong: string): GraderResult {
  return { pass, score: pass ? 1 : 0, reasoning: pass ? right : wrong };
}

/** The argument of the grader, or else the hint of the case. */
export function expectedText(argument: string | undefined, { hint }: GraderParams, name: string): string {
  const text = argument ?? hint;
  if (text !== undefined) return text;
  throw new GraderError(
    `The grader ${name} needs a text to look for: the case has no hint, and ${name}:<text> is not given.`,
  );
}

/** Most of a text in a reason. */
const MAX_QUOTED_CHARACTERS = 200;

export function quoted(text: string): string {
  return `"${text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}...` : text}"`;
}

export function unusable(name: string, why: string): HarnessError {
  return new HarnessError('grader_unusable', `The grader ${name} cannot be used: ${why}`);
}
