import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CalledAgents, CodingAgentOptions } from '@parley/coding-agent';
import { findPersonalFolders, serveCodingAgent } from '@parley/coding-agent/serve';
import { fileListCache, type ProvidersSettings } from '@parley/models/discovery';
import type { PermissionMode, Rule } from '@parley/policy';
import type { SessionStore } from '@parley/store';
import { ownStdio } from '@parley/transports/stdio';
import { OWN_AGENT } from '../agents/own-agent.ts';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { keysFile } from '../models/keys-file.ts';
import { createRememberedFile, rememberedFile } from '../permissions/remembered-file.ts';
import type { Places } from '../places.ts';
import { type ChosenDialect, dialectSetting, readDialect } from '../run/settings/dialect.ts';
import { lastModelFile } from './last-model.ts';

export interface AgentFlags extends SharedFlags {
  /** False with `--no-store`. */
  readonly store?: boolean;
  readonly initialMessage?: string;
  /** Asks for a key in the terminal instead of serving. */
  readonly login?: boolean;
  /** True, or where to listen, with `--listen`. */
  readonly listen?: string | true;
  readonly port?: string;
  readonly allowRemote?: boolean;
  readonly json?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** Serves our coding agent to whoever started this process, until stdin ends; resolves to the exit code. */
export async function serveAgent(flags: AgentFlags, context: CliContext): Promise<number> {
  const store = createStore(flags);
  try {
    const dialect = await readDialect(flags.dialect ?? 'auto');
    const mode = await readMode(flags.permissionMode);
    // First of all: whatever anything prints must not end up between the messages.
    const transport = ownStdio();
    // What listens for a dialect is read from the disk while the settings are.
    const listening = dialect === 'auto' ? import('@parley/dialects/speak') : undefined;
    const { config, places } = await loadConfig(context);
    await listening;
    await serveCodingAgent({
      transport,
      dialect: dialectOf(dialect, { framing: () => transport.peerFraming, flags, context }),
      ...(await agentOptions({ flags, config, places, context, mode, store })),
    });
    return 0;
  } catch (error) {
    const { reportError } = await import('../output/report-error.ts');
    return reportError(error, context);
  } finally {
    await store.close();
  }
}

/** The store of an agent: opened with the first session, since an agent that is only asked what it can do answers sooner. */
export interface LateStore {
  open(places: Places): Promise<SessionStore>;
  close(): Promise<void>;
}

export function createStore(flags: AgentFlags): LateStore {
  let opened: Promise<SessionStore> | undefined;
  return {
    open(places) {
      opened ??= openStore(flags.store === false ? undefined : places);
      return opened;
    },
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

export interface AgentParts extends ServerContext {
  readonly mode: PermissionMode | undefined;
  readonly store: LateStore;
}

/** What flags and settings make of the coding agent, wherever it is served. */
export async function agentOptions({ mode, store, ...parts }: AgentParts): Promise<CodingAgentOptions> {
  const { flags, config, places, context } = parts;
  const permissionMode = mode ?? (config.permissions?.mode as PermissionMode | undefined);
  const model = flags.model ?? config.model;
  return {
    env: existsSync(keysFile(places)) ? await withKeys(context, places) : context.env,
    store: () => store.open(places),
    permissions: flags.denyAll
      ? { rules: await denyEverything() }
      : {
          ...(permissionMode && { mode: permissionMode }),
          rules: await readRules(config, places),
          remembered: createRememberedFile(rememberedFile(places), OWN_AGENT),
        },
    ...(config.sandbox !== undefined && { sandbox: config.sandbox }),
    ...(model !== undefined && { model }),
    ...(flags.store !== false && { lastModel: lastModelFile(join(places.state, 'last-model.json')) }),
    ...(config.providers && { providers: await readProviders(config.providers, parts) }),
    loginArgs: ['--login'],
    discover: { cache: fileListCache(join(places.state, 'models.json')) },
    ...(config.maxRequests !== undefined && { maxRequests: config.maxRequests }),
    ...(config.tasks !== undefined && config.tasks !== true && { tasks: config.tasks }),
    ...(config.webSearch !== undefined && { webSearch: config.webSearch }),
    ...(flags.initialMessage !== undefined && { initialMessage: flags.initialMessage }),
    mcpServers: serversFor(parts),
    ...personalOptions(context),
    isTrusted: async (file) => (await import('../config/trust.ts')).isTrusted(file, places),
    hooks: async (cwd) => (await import('./read-hooks.ts')).readHooks(cwd, context, config.hooks),
    ...(hasTools(config) && { agents: await readAgents({ config, places }, context) }),
  };
}

async function withKeys({ env }: CliContext, places: Places): Promise<NonNullable<CodingAgentOptions['env']>> {
  return (await import('../models/stored-keys.ts')).withStoredKeys(env, places);
}

function personalOptions({ env }: CliContext): Pick<CodingAgentOptions, 'personal'> {
  const personal = findPersonalFolders(env);
  return personal ? { personal } : {};
}

async function readProviders(
  providers: NonNullable<Config['providers']>,
  { places, context }: Pick<ServerContext, 'places' | 'context'>,
): Promise<ProvidersSettings> {
  return (await import('../models/read-providers.ts')).readProviders(providers, places, context.env);
}

function hasTools({ agents = {} }: Config): boolean {
  return Object.values(agents).some(({ asTool }) => asTool !== undefined && asTool !== false);
}

async function readAgents(
  loaded: Pick<ServerContext, 'config' | 'places'>,
  context: CliContext,
): Promise<CalledAgents> {
  return (await import('./agents-as-tools.ts')).agentsAsTools(loaded, context);
}

/** Checks what was asked for; what the settings say has been checked. */
export async function readMode(word: string | undefined): Promise<PermissionMode | undefined> {
  if (word === undefined || word === 'default') return word;
  return (await import('../permissions/choose-permissions.ts')).requireMode(word);
}

function dialectOf(
  dialect: ChosenDialect,
  options: {
    readonly framing: () => 'newline' | 'content-length';
    readonly flags: AgentFlags;
    readonly context: CliContext;
  },
): ReturnType<typeof dialectSetting> {
  const { framing, flags, context } = options;
  const setting = dialectSetting(dialect, {
    peer: 'The client',
    isVerbose: flags.verbose === true,
    say: (text) => void context.stderr.write(`parley: ${text}\n`),
  });
  return typeof setting === 'string' ? setting : { ...setting, framing };
}

interface ServerContext {
  readonly flags: AgentFlags;
  readonly config: Config;
  readonly places: Places;
  readonly context: CliContext;
}

/** What flags, settings and a trusted project name besides the client's own servers; read with the session's folder. */
function serversFor({ flags, config, places, context }: ServerContext): NonNullable<CodingAgentOptions['mcpServers']> {
  return async (cwd) => {
    const [{ readMcpServers }, { readProjectServers }] = await Promise.all([
      import('../run/settings/mcp-config.ts'),
      import('../config/project-servers.ts'),
    ]);
    const project = await readProjectServers(cwd, { places, env: context.env });
    return readMcpServers({ flags, config, project: project?.servers ?? [], cwd: context.cwd });
  };
}

async function openStore(places: Places | undefined): Promise<SessionStore> {
  if (!places) return (await import('@parley/store/memory')).memoryStore();
  const { sqliteStore } = await import('@parley/store/sqlite');
  return sqliteStore({ path: join(places.state, 'sessions.db') });
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
