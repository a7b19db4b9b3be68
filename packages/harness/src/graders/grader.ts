import type { GraderParams, GraderResult } from '../formats/grader.ts';

/** Judges attempts. */
export interface Grader extends AsyncDisposable {
  /** As a person would write it. */
  readonly name: string;
  /** Rejects with `GraderError` when it gives no result that can be used. */
  grade(params: GraderParams, options?: { readonly signal?: AbortSignal }): Promise<GraderResult>;
}

/** A grader as a function, for programs. */
export type GraderFunction = (params: GraderParams) => GraderResult | Promise<GraderResult>;

/** Calls a JSON function in another program or thread: what graders and comparison graders have in common. */
export interface JsonFunction extends AsyncDisposable {
  call(params: unknown, signal?: AbortSignal): Promise<unknown>;
}

/** How long one call may take, unless told otherwise. */
export const DEFAULT_GRADER_TIMEOUT_MS = 60_000;
