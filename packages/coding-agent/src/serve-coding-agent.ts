import { join } from 'node:path';
import type { DialectSetting } from '@parley/dialects';
import { stateHome } from '@parley/host/places';
import type { Transport } from '@parley/jsonrpc';
import { fileListCache } from '@parley/models/discovery';
import type { SessionStore } from '@parley/store';
import { ownStdio } from '@parley/transports/stdio';
import { createCodingAgent } from './coding-agent.ts';
import type { CodingAgentOptions } from './coding-agent-options.ts';
import { findPersonalFolders } from './project/folders.ts';

export { findPersonalFolders } from './project/folders.ts';

export interface ServeCodingAgentOptions extends CodingAgentOptions {
  /** The wire to serve, for those who have opened it already. Default: this process's stdin and stdout. */
  readonly transport?: Transport;
  /** How the client words ACP. Default: `auto`, it is found out. */
  readonly dialect?: DialectSetting;
}

/**
 * Serves the coding agent on this process's stdin and stdout, as editors start it. Sessions are kept where all of Parley
 * keeps them, unless a store is given. Resolves when the client has left and nothing is running any more.
 */
export async function serveCodingAgent(options: ServeCodingAgentOptions = {}): Promise<void> {
  // First of all: from here on nothing but messages reaches stdout.
  const { transport = ownStdio(), dialect = 'auto', ...agentOptions } = options;
  let opened: Promise<SessionStore> | undefined;
  const open = (): Promise<SessionStore> => {
    opened ??= import('@parley/store/sqlite').then(({ sqliteStore }) => sqliteStore());
    return opened;
  };
  try {
    const discover = { cache: fileListCache(join(stateHome(process.env), 'parley', 'models.json')) };
    const personal = findPersonalFolders(agentOptions.env);
    await createCodingAgent({ store: open, discover, ...(personal && { personal }), ...agentOptions }).serve(
      transport,
      { dialect },
    );
  } finally {
    await (await opened)?.close();
  }
}
