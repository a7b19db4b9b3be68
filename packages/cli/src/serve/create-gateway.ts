import { createCodingAgent } from '@parley/coding-agent';
import { type Gateway, gateway, type HostOptions } from '@parley/gateway';
import type { GatewayParts } from '@parley/gateway/command';
import { agentOptions, readMode } from '../agent/serve-agent.ts';
import { openSource } from '../agents/open-source.ts';
import type { CapsConfig, ServeConfig } from '../config/serve-config.ts';
import type { CliContext } from '../context.ts';
import { choosePermissions } from '../permissions/choose-permissions.ts';
import { readProtocol } from '../run/settings/protocol.ts';
import { chooseDialect, readDeadlines } from '../run/settings/run-settings.ts';
import type { HostedNames } from './hosted-agents.ts';
import type { ServeFlags } from './serve-flags.ts';
import type { ServeSettings } from './serve-settings.ts';

/** The agents behind one face: our own in this process, the others as programs that are started when somebody needs them. */
export async function createGateway(
  { settings, hosted, store, onEvent, secrets }: GatewayParts<ServeSettings, HostedNames>,
  flags: ServeFlags,
  context: CliContext,
): Promise<Gateway> {
  const { config, serve, places, hasFiles, hasTerminals, idleMs, limits } = settings;
  const spoken = await readSpoken(hosted, settings, flags);
  const mode = await readMode(flags.permissionMode);
  const { mode: hostMode, rules } = await choosePermissions(flags, config, context.cwd);
  const shared = { open: async () => store, close: async () => {} };
  const { store: _, ...agentFlags } = flags;
  const own = {
    ...(await agentOptions({ flags: agentFlags, config, places, context, mode, store: shared })),
    limits,
  };
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
    limits,
    ...(idleMs !== undefined && { idleMs }),
    ...(serve.processes && { processes: serve.processes }),
    ...(serve.rememberBy && { rememberBy: serve.rememberBy }),
    ...(hasFiles && { workspace: {} }),
    ...(hasTerminals && { terminals: true }),
    permissions: { mode: hostMode, rules },
    connect: (name) => spoken.get(name),
    ...((serve.caps || serve.tokens) && { caps: (principal) => capsFor(principal, serve) }),
    onEvent,
    ...(settings.hasTraffic && { traffic: { secrets } }),
  });
}

/** How each agent is spoken to: with the version and the dialect that its settings have. */
async function readSpoken(
  hosted: HostedNames,
  { config }: ServeSettings,
  flags: ServeFlags,
): Promise<ReadonlyMap<string, HostOptions['connect']>> {
  const deadlines = readDeadlines(config);
  const spoken = new Map<string, HostOptions['connect']>();
  for (const { name, agent } of hosted.agents) {
    if (!agent) continue;
    const protocol = readProtocol(flags.protocol ?? config.agents?.[agent.name]?.protocol ?? config.protocol);
    const dialect = await chooseDialect(agent, flags, config);
    spoken.set(name, { dialect, deadlines, ...(protocol !== undefined && { protocol }) });
  }
  return spoken;
}

function capsFor(principal: string, { caps, tokens = {} }: ServeConfig): CapsConfig {
  const own = Object.hasOwn(tokens, principal) ? tokens[principal]?.caps : undefined;
  return { ...caps, ...own };
}
