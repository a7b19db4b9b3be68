import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readGitBranch } from './view/git-branch.ts';

const TIMEOUT_MS = 3000;

/** The branch of the folder, with a mark while files that git knows are changed. It is read anew after each turn. */
export class GitWatch {
  readonly #cwd: string;
  readonly #onChange: () => void;
  #branch: string | undefined;
  #isDirty = false;
  #wasBusy = false;

  constructor(cwd: string, onChange: () => void) {
    this.#cwd = cwd;
    this.#onChange = onChange;
  }

  /** Undefined where there is no repository. */
  get words(): string | undefined {
    return this.#branch === undefined ? undefined : `${this.#branch}${this.#isDirty ? '*' : ''}`;
  }

  /** Resolves when the branch is known; what has changed in it is told later. */
  async read(): Promise<void> {
    this.#branch = await readGitBranch(this.#cwd);
    if (this.#branch !== undefined) void this.#readChanges();
  }

  /** Told with every frame whether the agent works. */
  look(isBusy: boolean): void {
    if (this.#wasBusy && !isBusy) void this.read();
    this.#wasBusy = isBusy;
  }

  async #readChanges(): Promise<void> {
    const args = ['-c', 'core.fsmonitor=false', '--no-optional-locks', 'status', '--porcelain', '-uno'];
    const options = { cwd: this.#cwd, timeout: TIMEOUT_MS, windowsHide: true };
    const said = await promisify(execFile)('git', args, options).catch(() => undefined);
    const isDirty = said !== undefined && said.stdout.trim() !== '';
    if (isDirty === this.#isDirty) return;
    this.#isDirty = isDirty;
    this.#onChange();
  }
}
