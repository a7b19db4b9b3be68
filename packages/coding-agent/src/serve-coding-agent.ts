import { sqliteStore } from '@parley/store';
import { ownStdio } from '@parley/transports/stdio';
import { type CodingAgentOptions, createCodingAgent } from './coding-agent.ts';

/**
 * Serves the coding agent on this process's stdin and stdout, as editors start it. Sessions are kept where all of Parley
 * keeps them, unless a store is given. Resolves when the client has left and nothing is running any more.
 */
export async function serveCodingAgent(options: CodingAgentOptions = {}): Promise<void> {
  // First of all: from here on nothing but messages reaches stdout.
  const transport = ownStdio();
  const store = options.store ?? sqliteStore();
  try {
    await createCodingAgent({ ...options, store }).serve(transport);
  } finally {
    if (!options.store) await store.close();
  }
}
