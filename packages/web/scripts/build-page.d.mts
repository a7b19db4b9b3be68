import type { Metafile } from 'esbuild';

/** The page, built into memory. */
export interface BuiltPage {
  /** By their paths: `index.html`, `assets/main-3F2A.js`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The scripts that are loaded with the page, the first one first. */
  readonly initial: readonly string[];
  readonly metafile: Metafile;
}

export declare function buildPage(): Promise<BuiltPage>;
