import type { Readable, Writable } from 'node:stream';

/** The surroundings of one run of a command: folder, environment and streams. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the person stands. */
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}
