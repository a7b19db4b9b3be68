import { inShell, localCommands, type OnStart } from '../operations/local-commands.ts';
import type { CommandSandbox, EnteredSandbox, SandboxedCommands } from '../operations/operations.ts';
import { OutputFiles } from '../operations/output-files.ts';
import { walkSearch } from '../operations/search/walk-search.ts';
import type { SandboxFiles } from './sandbox-files.ts';

export interface SandboxWorkOptions {
  /** The folders of the workspace. */
  readonly roots: readonly string[];
  /** A folder that stays readable in the private /tmp. */
  readonly readable?: () => string | undefined;
}

/** One session's life in the sandbox: opened by the first tool that needs it, closed with the session. */
export class SandboxWork implements AsyncDisposable {
  readonly #options: SandboxWorkOptions;
  #files: Promise<SandboxFiles> | undefined;

  constructor(options: SandboxWorkOptions) {
    this.#options = options;
  }

  /** What tools touch the world with inside; or why there is no inside. */
  async enter(onStart: OnStart): Promise<EnteredSandbox> {
    const { roots } = this.#options;
    const { openSandbox } = await import('./open-sandbox.ts');
    const state = await openSandbox({ roots });
    if (!state.isThere) {
      const { because } = state;
      return {
        isThere: false,
        because: `${because} Nothing was run; choose another tool preset to work without one.`,
      };
    }
    const { confine } = state;
    const { openSandboxFiles } = await import('./sandbox-files.ts');
    this.#files ??= openSandboxFiles(confine, roots[0] ?? '/');
    const files = await this.#files;
    const { keepProtected } = await import('./keep-protected.ts');
    const commands = localCommands(onStart, { wrap: (line, cwd) => confine(inShell(line), cwd) });
    return {
      isThere: true,
      operations: {
        files,
        search: walkSearch(files),
        outputs: new OutputFiles({ hasFiles: false }),
        commands: keepProtected(commands, roots),
      },
    };
  }

  /** Commands that read everything but credentials, and change the workspace or nothing. */
  async commands(sandbox: CommandSandbox, onStart: OnStart): Promise<SandboxedCommands> {
    const { roots, readable } = this.#options;
    const { openSandbox } = await import('./open-sandbox.ts');
    const folder = readable?.();
    const state = await openSandbox({ roots, profile: sandbox, ...(folder !== undefined && { readable: [folder] }) });
    if (!state.isThere) return state;
    const commands = localCommands(onStart, { wrap: (line, cwd) => state.confine(inShell(line), cwd), sandbox });
    if (sandbox === 'reading') return { isThere: true, commands };
    const { keepProtected } = await import('./keep-protected.ts');
    return { isThere: true, commands: keepProtected(commands, roots) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#files?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
}
