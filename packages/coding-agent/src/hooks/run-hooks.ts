import { headOf } from '@parley/models/model';
import { COMMAND_ENVIRONMENT, inShell } from '../operations/local-commands.ts';
import type { Hook, HookInput, Hooks } from './hooks.ts';

const DEFAULT_TIMEOUT_MS = 60_000;
/** Of its words. */
const MAX_OUTPUT_BYTES = 16 * 1024;
/** Of what a tool answered. */
const MAX_TOLD_CHARACTERS = 40_000;
/** The exit code that blocks. */
const BLOCKED = 2;

export interface RunHooksOptions {
  readonly signal: AbortSignal;
  /** Hears of a hook that did not do its work. The call goes on. */
  readonly onProblem: (problem: string) => void;
}

/** Runs the hooks of an event one after the other; the words of the first that blocks, or undefined. */
export async function runHooks(hooks: Hooks, input: HookInput, options: RunHooksOptions): Promise<string | undefined> {
  for (const hook of hooks[input.event] ?? []) {
    if (!hears(hook, input.tool)) continue;
    const words = await runHook(hook, input, options);
    if (words !== undefined) return words;
  }
  return undefined;
}

function hears({ tools }: Hook, tool: string): boolean {
  return !tools || tools.some((pattern) => toExpression(pattern).test(tool));
}

function toExpression(pattern: string): RegExp {
  const words = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${words.join('.*')}$`);
}

async function runHook(
  hook: Hook,
  input: HookInput,
  { signal, onProblem }: RunHooksOptions,
): Promise<string | undefined> {
  const { command, timeoutMs = DEFAULT_TIMEOUT_MS } = hook;
  const { startCommand } = await import('@parley/host/commands');
  signal.throwIfAborted();
  const told = input.output === undefined ? input : { ...input, output: headOf(input.output, MAX_TOLD_CHARACTERS) };
  try {
    const running = await startCommand({
      ...inShell(command),
      cwd: input.cwd,
      env: COMMAND_ENVIRONMENT,
      allowedEnv: 'withoutSecrets',
      maxOutputBytes: MAX_OUTPUT_BYTES,
      input: `${JSON.stringify(told)}\n`,
    });
    try {
      const exit = await untilEnd(running.exited, timeoutMs, signal);
      signal.throwIfAborted();
      const words = running.readOutput().output.trim();
      if (exit === undefined) onProblem(`The hook \`${command}\` was ended after ${timeoutMs / 1000} s.`);
      else if (exit.exitCode === BLOCKED) return words === '' ? `The hook \`${command}\` gave no reason.` : words;
      else if (exit.exitCode !== 0)
        onProblem(`The hook \`${command}\` failed (${describe(exit)}). ${headOf(words, 300)}`);
    } finally {
      await running.release();
    }
  } catch (error) {
    signal.throwIfAborted();
    onProblem(`The hook \`${command}\` could not be run: ${error instanceof Error ? error.message : String(error)}`);
  }
  return undefined;
}

interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

function describe({ exitCode, signal }: Exit): string {
  return exitCode === null ? `ended by ${signal ?? 'a signal'}` : `exit code ${exitCode}`;
}

/** Undefined when it takes too long, or nobody waits any more. A signal of the runtime's own for the time is forgotten by Node 20 in a garbage collection. */
async function untilEnd(exited: Promise<Exit>, timeoutMs: number, signal: AbortSignal): Promise<Exit | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    const timer = setTimeout(stop, timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    exited.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    });
  });
}
