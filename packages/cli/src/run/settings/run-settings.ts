import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AgentSource, Deadlines, ProtocolSetting, SessionSettings } from '@parley/client';
import { type ExitCodeSet, readCount, requireChoice, usageError } from '@parley/host/command-line';
import type { McpServer } from '@parley/protocol';
import { withSandbox } from '../../agents/agent-sandbox.ts';
import { withDialFlags } from '../../agents/dial-flags.ts';
import { openSource } from '../../agents/open-source.ts';
import { resolveAgent, withOwnFlags } from '../../agents/resolve-agent.ts';
import type { ResolvedAgent } from '../../agents/resolved-agent.ts';
import type { Config } from '../../config/config.ts';
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import { readProjectServers } from '../../config/project-servers.ts';
import type { CliContext } from '../../context.ts';
import type { SharedFlags } from '../../flags/shared-flags.ts';
import { type OutputSettings, readOutputSettings } from '../../output/output-settings.ts';
import { type ChosenPermissions, choosePermissions } from '../../permissions/choose-permissions.ts';
import { findUp, MCP_FILE, type Places } from '../../places.ts';
import type { SessionPlan } from '../open-session.ts';
import { type ChosenDialect, readDialect } from './dialect.ts';
import { readMcpServers } from './mcp-config.ts';
import { readProtocol } from './protocol.ts';
import { mergeMeta, readSessionMeta, requireTools, type SessionMeta } from './session-meta.ts';

/** Everything that flags and settings decide about talking to an agent. */
export interface RunSettings {
  readonly agent: ResolvedAgent;
  readonly source: AgentSource;
  readonly dialect: ChosenDialect;
  /** Undefined where nobody says. */
  readonly protocol: ProtocolSetting | undefined;
  readonly places: Places;
  readonly permissions: ChosenPermissions;
  /** Where sessions are opened, with what, and what they are set to. */
  readonly session: SessionPlan & { readonly meta?: SessionMeta };
  readonly output: OutputSettings;
  readonly chat: ChatSettings;
  readonly login: LoginSettings;
  /** What we do for an agent that asks. */
  readonly serves: { readonly files: boolean; readonly terminals: boolean };
  readonly deadlines: Partial<Deadlines>;
  readonly timeoutMs: number | undefined;
  readonly exitCodes: ExitCodeSet;
  /** Where every message is recorded, as the person wrote it. */
  readonly traceFile: string | undefined;
  /** How often a prompt is sent again that failed before the agent did anything. */
  readonly promptRetries: number;
  /** Nothing of this run is kept. */
  readonly isThrowaway: boolean;
}

export interface ChatSettings {
  /** Undefined where nobody says. */
  readonly isPlain: boolean | undefined;
  readonly notify: Config['notify'];
  readonly theme: Config['theme'];
  readonly keys: Config['keys'];
}

export interface LoginSettings {
  /** The method that flags or settings name for this agent. */
  readonly method: string | undefined;
  /** Whether it was named for this very run, by `--auth`. */
  readonly isAsked: boolean;
  /** What becomes of an agent that offers logins of which none is chosen. */
  readonly policy: 'skip' | 'fail';
}

export interface RunSettingsOptions {
  /** Nothing of the run is kept. Default: false. */
  readonly isThrowaway?: boolean;
  /** Says nothing about a project file that is not trusted, since that was said. Default: false. */
  readonly isTold?: boolean;
  /** What was asked of the agent in this session before; what flags ask now counts more. */
  readonly keptMeta?: SessionMeta | undefined;
  /** Values of the agent's options, by id. */
  readonly options?: SessionSettings['settings'];
}

/** Reads settings, finds the agent, and checks what can be checked before anything is started. */
export async function readRunSettings(
  flags: SharedFlags,
  context: CliContext,
  { isThrowaway = false, isTold = false, keptMeta, options }: RunSettingsOptions = {},
): Promise<RunSettings> {
  const cwd = await requireFolder(resolve(context.cwd, flags.cwd ?? '.'));
  const loaded = await loadConfig(context, cwd);
  const { config, project, untrusted, places } = loaded;
  const output = readOutputSettings(flags, config);
  const isQuiet = output.isQuietAboutProgress || isTold;
  if (project && untrusted.length > 0 && !isQuiet) {
    context.stderr.write(`${project.path} also sets ${untrusted.join(', ')}; use them with: parley config trust\n`);
  }
  const servers = await projectServers(cwd, loaded, context, isQuiet);
  const named = withDialFlags(await resolveAgent(flags.agent, loaded, context), flags, context);
  const found = flags.sandbox ? withSandbox(named, named.sandbox ?? {}) : named;
  const permissions = await choosePermissions(flags, config, cwd);
  const plansOnly = permissions.mode === 'plan' && !permissions.deniesAll;
  // Our own agent has rules and a memory of its own, which would allow things before we are asked.
  const agent = withOwnFlags(found, [
    ...(isThrowaway ? ['--no-store'] : []),
    ...(flags.denyAll ? ['--deny-all'] : []),
    ...(plansOnly ? ['--permission-mode', 'plan'] : []),
  ]);
  const ownMode = plansOnly ? 'plan' : flags.permissionMode !== undefined && !isThrowaway ? 'default' : undefined;
  if (flags.ttl !== undefined && !(Number(flags.ttl) >= 0))
    throw usageError(`--ttl is a number of seconds, not "${flags.ttl}".`);
  const additionalDirectories = await Promise.all(
    (flags.addDir ?? []).map((dir) => requireFolder(resolve(context.cwd, dir))),
  );
  const asked = readSessionMeta(flags);
  // Only of our own agent it is known which tools there are.
  if (agent.origin === 'own') await requireTools(asked);
  const meta = mergeMeta(keptMeta, asked);
  return {
    agent,
    source: openSource(agent, { cwd, env: context.env }),
    dialect: await chooseDialect(agent, flags, config),
    protocol: readProtocol(flags.protocol ?? config.agents?.[agent.name]?.protocol ?? config.protocol),
    places,
    permissions,
    session: {
      cwd,
      additionalDirectories,
      mcpServers: await readMcpServers({ flags, config, project: servers, cwd: context.cwd }),
      ...(meta && { meta }),
      defaults: { mode: config.mode, model: config.model },
      asked: {
        mode: flags.mode,
        model: flags.model,
        // A session that our own agent has kept may be in another mode than this run.
        settings: agent.origin === 'own' && ownMode !== undefined ? { permissions: ownMode, ...options } : options,
      },
      ...(!isThrowaway && {
        forget: async (sessionId) => {
          const { forgetAnswers } = await import('../../permissions/forget-answers.ts');
          await forgetAnswers(places, { agent: agent.name, project: cwd, sessionId });
        },
      }),
    },
    output,
    chat: { isPlain: flags.plain ?? config.plain, notify: config.notify, theme: config.theme, keys: config.keys },
    login: {
      isAsked: flags.auth !== undefined,
      method: flags.auth ?? config.auth?.[agent.name] ?? config.auth?.['*'],
      policy: requireChoice('--auth-policy', flags.authPolicy ?? config.authPolicy ?? 'skip', [
        'skip',
        'fail',
      ] as const),
    },
    serves: {
      files: flags.fs !== false && config.fs !== false,
      // What a local agent runs, it could run by itself; a remote one would run it on a machine that is not its own.
      terminals: flags.terminal ?? config.terminal ?? agent.address.kind === 'command',
    },
    deadlines: readDeadlines(config),
    timeoutMs: readTimeout(flags, config),
    exitCodes: requireChoice('--exit-codes', flags.exitCodes ?? config.exitCodes ?? 'distinct', [
      'distinct',
      'acpx',
    ] as const),
    traceFile: flags.trace,
    promptRetries: readCount('--prompt-retries', flags.promptRetries, { min: 0, max: MAX_PROMPT_RETRIES }) ?? 0,
    isThrowaway,
  };
}

/** The MCP servers of the project, where the person trusts it; they are told what is left out, and what does not work. */
async function projectServers(
  cwd: string,
  { places }: LoadedConfig,
  { env, stderr }: CliContext,
  isQuiet: boolean,
): Promise<readonly McpServer[]> {
  if (findUp(MCP_FILE, cwd, env) === undefined) return [];
  const found = await readProjectServers(cwd, { places, env });
  if (!found) return [];
  const { path, servers, untrusted, problems } = found;
  if (!isQuiet && untrusted.length > 0) {
    stderr.write(`${path} names MCP servers (${untrusted.join(', ')}); use them with: parley config trust\n`);
  }
  if (!isQuiet) for (const problem of problems) stderr.write(`${path}: ${problem}\n`);
  return servers;
}

/** The same settings for an agent that works in another folder. */
export function inFolder(settings: RunSettings, cwd: string, { env }: CliContext): RunSettings {
  const { agent, session } = settings;
  return { ...settings, session: { ...session, cwd }, source: openSource(agent, { cwd, env }) };
}

/** As somebody said; otherwise it is found out, but for our own agent, which has none. */
/** How an agent words ACP, as flags and settings say. */
export function chooseDialect(
  { name, origin }: ResolvedAgent,
  flags: SharedFlags,
  config: Config,
): Promise<ChosenDialect> {
  const word = flags.dialect ?? config.agents?.[name]?.dialect ?? config.dialect;
  return readDialect(word ?? (origin === 'own' ? 'canonical' : 'auto'));
}

export function readDeadlines({ deadlines: seconds = {} }: Config): Partial<Deadlines> {
  const { spawn, initialize, authenticate, session } = seconds;
  return {
    ...(spawn !== undefined && { spawn: spawn * 1000 }),
    ...(initialize !== undefined && { initialize: initialize * 1000 }),
    ...(authenticate !== undefined && { authenticate: authenticate * 1000 }),
    ...(session !== undefined && {
      'session/new': session * 1000,
      'session/load': session * 1000,
      'session/resume': session * 1000,
      'session/fork': session * 1000,
    }),
  };
}

function readTimeout({ timeout }: SharedFlags, config: Config): number | undefined {
  if (timeout === undefined) return config.timeout === undefined ? undefined : config.timeout * 1000;
  const seconds = Number(timeout);
  if (Number.isFinite(seconds) && seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS) return seconds * 1000;
  throw usageError(`--timeout is a number of seconds above 0, not "${timeout}".`);
}

/** A prompt that fails so often fails for a reason that will not pass. */
const MAX_PROMPT_RETRIES = 10;
/** The longest time that a timer can wait for. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

async function requireFolder(path: string): Promise<string> {
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isDirectory()) return path;
  throw usageError(facts ? `${path} is not a folder.` : `There is no folder ${path}.`);
}
