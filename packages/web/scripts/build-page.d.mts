/** The page, built into memory. */
export interface BuiltPage {
  /** By their paths: `index.html`, `assets/main-3F2A.js`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The scripts that are loaded with the page, the first one first. */
  readonly initial: readonly string[];
  readonly scripts: readonly PageScript[];
}

export interface PageScript {
  readonly path: string;
  readonly contents: Uint8Array;
  /** The paths of the scripts that are loaded with it. */
  readonly imports: readonly string[];
  /** The source file that somebody imports for this script, relative to the package. */
  readonly source: string | undefined;
}

export declare function buildPage(): Promise<BuiltPage>;

/** What is loaded at once with a source file that has a script of its own, the script itself first. */
export declare function loadedWith(scripts: readonly PageScript[], source: string): string[];
