import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type AdapterLog, adapterAgent, type Description } from '@parley/adapters';
import type { SessionStore } from '@parley/store';
import { ownStdio } from '@parley/transports/stdio';
import type { CliContext } from '../context.ts';
import { CliError } from '../errors.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { findPlaces } from '../places.ts';
import { findDescription } from './find-description.ts';

export interface AdaptFlags extends SharedFlags {
  readonly debug?: boolean;
  /** False with `--no-store`. */
  readonly store?: boolean;
  readonly login?: boolean;
}

/** Serves a command line to whoever started this process, until stdin ends; resolves to the exit code. */
export async function serveAdapter(word: string, flags: AdaptFlags, context: CliContext): Promise<number> {
  const { description } = await findDescription(word, context);
  if (flags.login) return logIn(description, context);
  // First of all: whatever anything prints must not end up between the messages.
  const transport = ownStdio();
  let opened: Promise<SessionStore> | undefined;
  const adapter = adapterAgent(description, {
    env: context.env,
    log: createLog(flags, context),
    loginArgs: ['--login'],
    store: () => {
      opened ??= openStore(description, flags, context);
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

function createLog({ verbose, debug }: AdaptFlags, { stderr }: CliContext): AdapterLog {
  const write = (message: string): void => void stderr.write(`[adapt] ${message}\n`);
  return { ...((verbose || debug) && { verbose: write }), ...(debug && { debug: write }) };
}

/** Each description has a file of its own: what it lists are its own sessions. */
async function openStore({ name }: Description, { store }: AdaptFlags, { env }: CliContext): Promise<SessionStore> {
  if (store === false) return (await import('@parley/store/memory')).memoryStore();
  const { sqliteStore } = await import('@parley/store/sqlite');
  const file = `${encodeURIComponent(name).replaceAll('.', '%2E')}.db`;
  return sqliteStore({ path: join(findPlaces(env).state, 'adapters', file) });
}

async function logIn({ name, login }: Description, { cwd, env }: CliContext): Promise<number> {
  const [command, ...args] = login?.command ?? [];
  if (command === undefined) {
    const hint = login ? ` ${login.hint}` : '';
    throw new CliError('not_available', `The description of ${name} names no command that logs in.${hint}`);
  }
  const child = spawn(command, args, { cwd, env: { ...env }, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}
