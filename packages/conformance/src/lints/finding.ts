import type { Frame } from '../messages/trace.ts';

/** One occasion on which the rule applied, and how it was broken, if it was. */
export interface Finding {
  readonly frame?: Frame;
  readonly problem?: { readonly expected: string; readonly got: string };
}
