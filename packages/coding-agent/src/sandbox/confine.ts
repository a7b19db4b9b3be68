/** A program and its arguments. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** Turns a program into the one that runs it inside the sandbox, in this folder. */
export type Confine = (program: Program, cwd: string) => Program;

/**
 * What a program sees and may change inside:
 * - `reading`: every file but credentials can be read, none changed;
 * - `workspace`: the same, and the roots can be changed except for their protected names;
 * - `isolated`: the roots and the system's programs, and nothing else.
 */
export type SandboxProfile = 'reading' | 'workspace' | 'isolated';

export interface ConfineOptions {
  readonly profile: SandboxProfile;
  /** The folders of the workspace. */
  readonly roots: readonly string[];
  /** Folders below /tmp that stay readable in the private one. */
  readonly readable?: readonly string[];
  /** Default: false. */
  readonly hasNetwork?: boolean;
  /** Whether programs may use sockets that are files, as those of docker and of ssh agents. Default: false. */
  readonly hasSockets?: boolean;
  /** Folders outside of the roots that can be changed, credentials or not. */
  readonly writable?: readonly string[];
}
