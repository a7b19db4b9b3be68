import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CliError, type CommandContext } from '@parley/host/command-line';
import { ownStdio } from '@parley/transports/stdio';
import { adapterAgent } from '../adapter-agent.ts';
import type { Description } from '../description/description.ts';
import type { AdapterLog, AdapterOptions } from '../runtime/adapter-options.ts';
import { findDescription } from './find-description.ts';

export interface AdaptFlags {
  readonly verbose?: boolean;
  readonly debug?: boolean;
  /** False with `--no-store`. */
  readonly store?: boolean;
  readonly login?: boolean;
}

/** Opens the store for the sessions of the description of this name. */
export type OpenAdapterStore = (name: string) => Promise<AdapterStore>;

type AdapterStore = Extract<NonNullable<AdapterOptions['store']>, { close(): unknown }>;

/** Serves a command line to whoever started this process, until stdin ends; resolves to the exit code. */
export async function serveAdapter(
  word: string,
  flags: AdaptFlags,
  context: CommandContext,
  openStore: OpenAdapterStore,
): Promise<number> {
  const { description } = await findDescription(word, context);
  if (flags.login) return logIn(description, context);
  // First of all: whatever anything prints must not end up between the messages.
  const transport = ownStdio();
  let opened: ReturnType<OpenAdapterStore> | undefined;
  const adapter = adapterAgent(description, {
    env: context.env,
    log: createLog(flags, context),
    loginArgs: ['--login'],
    store: () => {
      opened ??= openStore(description.name);
      return opened;
    },
  });
  try {
    await adapter.serve(transport);
    return 0;
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }
}

function createLog({ verbose, debug }: AdaptFlags, { stderr }: CommandContext): AdapterLog {
  const write = (message: string): void => void stderr.write(`[adapt] ${message}\n`);
  return { ...((verbose || debug) && { verbose: write }), ...(debug && { debug: write }) };
}

async function logIn({ name, login }: Description, { cwd, env }: CommandContext): Promise<number> {
  const [command, ...args] = login?.command ?? [];
  if (command === undefined) {
    const hint = login ? ` ${login.hint}` : '';
    throw new CliError('not_available', `The description of ${name} names no command that logs in.${hint}`);
  }
  const child = spawn(command, args, { cwd, env: { ...env }, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}
