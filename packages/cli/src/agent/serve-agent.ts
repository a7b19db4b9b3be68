import { join } from 'node:path';
import { createCodingAgent } from '@parley/coding-agent';
import { parseRules } from '@parley/policy';
import { sqliteStore } from '@parley/store';
import { ownStdio } from '@parley/transports/stdio';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { createRememberedFile, rememberedFile } from '../permissions/remembered-file.ts';

/** Serves our coding agent to whoever started this process, until stdin ends; resolves to the exit code. */
export async function serveAgent({ isStored }: { readonly isStored: boolean }, context: CliContext): Promise<number> {
  // First of all: whatever anything prints must not end up between the messages.
  const transport = ownStdio();
  try {
    const { config, places } = await loadConfig(context);
    await using store = isStored ? sqliteStore({ path: join(places.state, 'sessions.db') }) : undefined;
    const agent = createCodingAgent({
      env: context.env,
      ...(store && { store }),
      permissions: {
        rules: parseRules(config.permissions ?? {}, { scope: 'user', file: places.config }),
        remembered: createRememberedFile(rememberedFile(places)),
      },
    });
    await agent.serve(transport);
    return 0;
  } catch (error) {
    const { reportError } = await import('../output/report-error.ts');
    return reportError(error, context);
  }
}
