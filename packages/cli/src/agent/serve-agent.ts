import { join } from 'node:path';
import { serveCodingAgent } from '@parley/coding-agent/serve';
import type { Rule } from '@parley/policy';
import type { SessionStore } from '@parley/store';
import { ownStdio } from '@parley/transports/stdio';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { createRememberedFile, rememberedFile } from '../permissions/remembered-file.ts';
import type { Places } from '../places.ts';

export interface ServeAgentOptions {
  readonly isStored: boolean;
  /** Allows nothing, whatever the settings and earlier answers say. */
  readonly deniesAll: boolean;
}

/** Serves our coding agent to whoever started this process, until stdin ends; resolves to the exit code. */
export async function serveAgent({ isStored, deniesAll }: ServeAgentOptions, context: CliContext): Promise<number> {
  // First of all: whatever anything prints must not end up between the messages.
  const transport = ownStdio();
  // The store is opened with the first session: an agent that is only asked what it can do answers sooner.
  let opened: Promise<SessionStore> | undefined;
  try {
    const { config, places } = await loadConfig(context);
    await serveCodingAgent({
      transport,
      env: context.env,
      store: () => {
        opened ??= openStore(isStored ? places : undefined);
        return opened;
      },
      permissions: deniesAll
        ? { rules: await denyEverything() }
        : { rules: await readRules(config, places), remembered: createRememberedFile(rememberedFile(places)) },
    });
    return 0;
  } catch (error) {
    const { reportError } = await import('../output/report-error.ts');
    return reportError(error, context);
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }
}

async function openStore(places: Places | undefined): Promise<SessionStore> {
  const { memoryStore, sqliteStore } = await import('@parley/store');
  return places ? sqliteStore({ path: join(places.state, 'sessions.db') }) : memoryStore();
}

async function readRules({ permissions }: Config, { config }: Places): Promise<readonly Rule[]> {
  if (!permissions) return [];
  const { parseRules } = await import('@parley/policy');
  return parseRules(permissions, { scope: 'user', file: config });
}

async function denyEverything(): Promise<readonly Rule[]> {
  const { parseRule } = await import('@parley/policy');
  return [parseRule('deny *', { scope: 'command-line', file: '--deny-all' })];
}
