import type { WorkspaceRecord } from '../formats/attempt.ts';

/** Where agents work. */
export interface WorkspaceOptions {
  /**
   * `shared`: all in one folder, as it is. `empty`: each in an empty one. `template`: each in a copy of `from`. `worktree`: each in a git worktree of the
   * repository of `from`, at `commit`. Default: `shared`.
   */
  readonly kind?: WorkspaceRecord['kind'];
  /** Default: the folder of the run. */
  readonly from?: string;
  /** What a worktree begins from. Default: `HEAD`. */
  readonly commit?: string;
  /** Where fresh ones are made. Default: a temporary folder. */
  readonly folder?: string;
  /** Which fresh ones are still there after the run. Default: `never`. */
  readonly keep?: 'always' | 'failed' | 'never';
  /** Whether it is measured what agents change in fresh ones. Default: true, where there is git. */
  readonly measuresChanges?: boolean;
  /**
   * Which patches of these changes are kept. `short`: those of up to 1 Mi characters, without the content of binary files. `whole`: those of up to 64 MiB, for
   * `git apply`. Default: `short`.
   */
  readonly patches?: 'short' | 'whole';
}

/** Makes workspaces for one run. Disposing it removes what is not to be kept. */
export interface Workspaces extends AsyncDisposable {
  /** A fresh one. No other has its name, whatever the case is called. */
  open(name: string): Promise<Workspace>;
}

export interface Workspace {
  /** Where the agent works. */
  readonly cwd: string;
  /** Measures what was changed. The folder stays until `release`. */
  measure(): Promise<WorkspaceRecord>;
  /** Removes it, unless it is to be kept. */
  release(how: { readonly isFailure: boolean }): Promise<{ readonly isKept: boolean }>;
}
