import type { AgentSource } from '@parley/client';
import { createCodingAgent } from '@parley/coding-agent';
import { gateway } from '@parley/gateway';
import { LOCAL_PRINCIPAL, type SessionStore } from '@parley/store';
import { createMemoryPair } from '@parley/transports/memory';
import { agentOptions, readMode } from '../agent/serve-agent.ts';
import { OWN_AGENT } from '../agents/own-agent.ts';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import type { RunSettings } from '../run/settings/run-settings.ts';
import { sessionLimits } from './session-limits.ts';
import { openStorePlace } from './store-place.ts';

export interface ShareStore {
  /** The file, or the address of the database. */
  readonly place: string;
  readonly settings: RunSettings;
  readonly flags: SharedFlags & { readonly principal?: string };
}

/** An agent whose sessions are in the store. */
export interface SharedAgent extends AsyncDisposable {
  readonly source: AgentSource;
}

/**
 * One agent on the store of `parley serve`, as a server of it would have it, for the command that runs here: sessions are found, owned
 * and written as by any other process that shares the store.
 */
export async function shareStore({ place, settings, flags }: ShareStore, context: CliContext): Promise<SharedAgent> {
  const { agent, source } = settings;
  const { principal = LOCAL_PRINCIPAL } = flags;
  const { config } = await loadConfig(context);
  const store = openStorePlace(place);
  const limits = sessionLimits(config.serve);
  const served = gateway({
    agents: { [agent.name]: agent.name === OWN_AGENT ? await ownAgent(store, flags, context) : source },
    defaultAgent: agent.name,
    store,
    limits,
    onDiagnostic: () => {},
  });
  return {
    source: {
      name: source.name,
      ...(source.host && { host: source.host }),
      async open() {
        const [near, far] = createMemoryPair();
        void served.serve(far, { agent: agent.name, principal });
        return { transport: near };
      },
    },
    async [Symbol.asyncDispose]() {
      await served.close();
      await store.close();
    },
  };
}

async function ownAgent(store: SessionStore, flags: SharedFlags, context: CliContext) {
  const { config, places } = await loadConfig(context);
  const mode = await readMode(flags.permissionMode);
  const shared = { open: async () => store, close: async () => {} };
  const { store: _, ...agentFlags } = flags as SharedFlags & { readonly store?: unknown };
  const options = await agentOptions({ flags: agentFlags, config, places, context, mode, store: shared });
  return createCodingAgent({ ...options, limits: sessionLimits(config.serve) });
}
