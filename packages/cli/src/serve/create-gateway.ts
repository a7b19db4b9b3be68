import { createCodingAgent } from '@parley/coding-agent';
import { type Gateway, gateway } from '@parley/gateway';
import type { SessionStore } from '@parley/store';
import { agentOptions, readMode } from '../agent/serve-agent.ts';
import type { CliContext } from '../context.ts';
import { choosePermissions } from '../permissions/choose-permissions.ts';
import { openSource } from '../run/open-source.ts';
import type { HostedNames } from './hosted-agents.ts';
import type { ServeFlags } from './serve-flags.ts';
import type { ServeSettings } from './serve-settings.ts';

export interface GatewayParts {
  readonly settings: ServeSettings;
  readonly hosted: HostedNames;
  readonly store: SessionStore;
  readonly flags: ServeFlags;
  readonly context: CliContext;
}

/** The agents behind one face: our own in this process, the others as programs that are started when somebody needs them. */
export async function createGateway({ settings, hosted, store, flags, context }: GatewayParts): Promise<Gateway> {
  const { config, serve, places, hasFiles, hasTerminals, idleMs } = settings;
  const mode = await readMode(flags.permissionMode);
  const { mode: hostMode, rules } = await choosePermissions(flags, config, context.cwd);
  const shared = { open: async () => store, close: async () => {} };
  const { store: _, ...agentFlags } = flags;
  const own = await agentOptions({ flags: agentFlags, config, places, context, mode, store: shared });
  const agents = Object.fromEntries(
    hosted.agents.map(({ name, agent }) => [
      name,
      agent ? openSource(agent, { cwd: context.cwd, env: context.env }) : createCodingAgent(own),
    ]),
  );
  return gateway({
    agents,
    defaultAgent: hosted.defaultAgent,
    store,
    ...(idleMs !== undefined && { idleMs }),
    ...(serve.processes && { processes: serve.processes }),
    ...(serve.rememberBy && { rememberBy: serve.rememberBy }),
    ...(hasFiles && { workspace: {} }),
    ...(hasTerminals && { terminals: true }),
    permissions: { mode: hostMode, rules },
    connect: { protocol: 'auto', dialect: 'auto' },
  });
}
