import { inShell, localCommands, type OnStart } from '../operations/local-commands.ts';
import { OutputFiles } from '../operations/output-files.ts';
import { walkSearch } from '../operations/search/walk-search.ts';
import type { EnteredSandbox } from '../tools/operations.ts';
import type { SandboxFiles } from './sandbox-files.ts';

/** One session's life in the sandbox: opened by the first tool that needs it, closed with the session. */
export class SandboxWork implements AsyncDisposable {
  readonly #roots: readonly string[];
  #files: Promise<SandboxFiles> | undefined;

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /** What tools touch the world with inside; or why there is no inside. */
  async enter(onStart: OnStart): Promise<EnteredSandbox> {
    const { openSandbox } = await import('./open-sandbox.ts');
    const state = await openSandbox({ roots: this.#roots });
    if (!state.isThere) return state;
    const { confine } = state;
    const { openSandboxFiles } = await import('./sandbox-files.ts');
    this.#files ??= openSandboxFiles(confine, this.#roots[0] ?? '/');
    const files = await this.#files;
    return {
      isThere: true,
      operations: {
        files,
        search: walkSearch(files),
        outputs: new OutputFiles({ hasFiles: false }),
        commands: localCommands(onStart, (line, cwd) => confine(inShell(line), cwd)),
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#files?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
}
