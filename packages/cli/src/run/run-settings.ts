import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AgentSource, McpServerInput, SessionOptions } from '@parley/client';
import type { McpServer } from '@parley/protocol';
import { resolveAgent, withOwnFlags } from '../agents/resolve-agent.ts';
import type { ResolvedAgent } from '../chat-options.ts';
import type { Config, Format } from '../config/config.ts';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { usageError } from '../errors.ts';
import type { ExitCodeSet } from '../exit-codes.ts';
import { type ChosenPermissions, choosePermissions } from '../permissions/choose-permissions.ts';
import { findUp, MCP_FILE } from '../places.ts';
import { type ChosenDialect, readDialect } from './dialect.ts';
import { readMcpServers } from './mcp-config.ts';
import { openSource } from './open-source.ts';
import { readCount, readSessionMeta, type SessionMeta } from './session-meta.ts';
import type { SharedFlags } from './shared-flags.ts';

/** Everything that flags and settings decide about talking to an agent. */
export interface RunSettings {
  readonly agent: ResolvedAgent;
  readonly source: AgentSource;
  readonly dialect: ChosenDialect;
  readonly loaded: LoadedConfig;
  readonly flags: SharedFlags;
  readonly permissions: ChosenPermissions;
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: McpServerInput;
  readonly model: string | undefined;
  readonly mode: string | undefined;
  readonly format: Format;
  readonly timeoutMs: number | undefined;
  readonly exitCodes: ExitCodeSet;
  /** What is asked of the agent in `_meta` when a session is opened. */
  readonly meta: SessionMeta | undefined;
  /** How often a prompt is sent again that failed before the agent did anything. */
  readonly promptRetries: number;
  readonly authPolicy: 'skip' | 'fail';
  readonly isQuietAboutProgress: boolean;
  /** Nothing of this run is kept. */
  readonly isThrowaway: boolean;
}

export interface RunSettingsOptions {
  /** Nothing of the run is kept. Default: false. */
  readonly isThrowaway?: boolean;
  /** Says nothing about a project file that is not trusted, since that was said. Default: false. */
  readonly isTold?: boolean;
}

/** Reads settings, finds the agent, and checks what can be checked before anything is started. */
export async function readRunSettings(
  flags: SharedFlags,
  context: CliContext,
  { isThrowaway = false, isTold = false }: RunSettingsOptions = {},
): Promise<RunSettings> {
  const cwd = await requireFolder(resolve(context.cwd, flags.cwd ?? '.'));
  const loaded = await loadConfig(context, cwd);
  const { config, project, untrusted } = loaded;
  const format = requireChoice('--format', flags.format ?? config.format ?? 'text', ['text', 'json', 'quiet'] as const);
  const isQuietAboutProgress = flags.jsonStrict === true || format === 'quiet';
  if (project && untrusted.length > 0 && !isQuietAboutProgress && !isTold) {
    context.stderr.write(`${project.path} also sets ${untrusted.join(', ')}; use them with: parley config trust\n`);
  }
  const servers = await projectServers(cwd, loaded, context, isQuietAboutProgress || isTold);
  const found = await resolveAgent(flags.agent, loaded, context);
  // Our own agent has rules and a memory of its own, which would allow things before we are asked.
  const agent = withOwnFlags(found, [...(isThrowaway ? ['--no-store'] : []), ...(flags.denyAll ? ['--deny-all'] : [])]);
  if (flags.ttl !== undefined && !(Number(flags.ttl) >= 0))
    throw usageError(`--ttl is a number of seconds, not "${flags.ttl}".`);
  const permissions = await choosePermissions(flags, config, cwd);
  const additionalDirectories = await Promise.all(
    (flags.addDir ?? []).map((dir) => requireFolder(resolve(context.cwd, dir))),
  );
  return {
    agent,
    source: openSource(agent, { cwd, env: context.env }),
    dialect: await chooseDialect(agent, flags, config),
    loaded,
    flags,
    permissions,
    cwd,
    additionalDirectories,
    mcpServers: await readMcpServers({ flags, config, project: servers, cwd: context.cwd }),
    model: flags.model ?? config.model,
    mode: flags.mode ?? config.mode,
    format,
    timeoutMs: readTimeout(flags, config),
    exitCodes: requireChoice('--exit-codes', flags.exitCodes ?? config.exitCodes ?? 'distinct', [
      'distinct',
      'acpx',
    ] as const),
    meta: readSessionMeta(flags),
    promptRetries: readCount('--prompt-retries', flags.promptRetries, { min: 0, max: MAX_PROMPT_RETRIES }) ?? 0,
    authPolicy: requireChoice('--auth-policy', flags.authPolicy ?? config.authPolicy ?? 'skip', [
      'skip',
      'fail',
    ] as const),
    isQuietAboutProgress,
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
  const { readProjectServers } = await import('./project-servers.ts');
  const found = await readProjectServers(cwd, { places, env });
  if (!found) return [];
  const { path, servers, untrusted, problems } = found;
  if (!isQuiet && untrusted.length > 0) {
    stderr.write(`${path} names MCP servers (${untrusted.join(', ')}); use them with: parley config trust\n`);
  }
  if (!isQuiet) for (const problem of problems) stderr.write(`${path}: ${problem}\n`);
  return servers;
}

/** How a session is opened, whether it is new or not. */
export function sessionOptions({ cwd, additionalDirectories, mcpServers, meta }: RunSettings): SessionOptions {
  return { cwd, additionalDirectories, mcpServers, ...(meta && { meta }) };
}

/** The same settings for an agent that works in another folder. */
export function inFolder(settings: RunSettings, cwd: string, { env }: CliContext): RunSettings {
  return { ...settings, cwd, source: openSource(settings.agent, { cwd, env }) };
}

/** As somebody said; otherwise it is found out, but for our own agent, which has none. */
function chooseDialect({ name, origin }: ResolvedAgent, flags: SharedFlags, config: Config): Promise<ChosenDialect> {
  const word = flags.dialect ?? config.agents?.[name]?.dialect ?? config.dialect;
  return readDialect(word ?? (origin === 'own' ? 'canonical' : 'auto'));
}

export function requireChoice<Choice extends string>(flag: string, word: string, choices: readonly Choice[]): Choice {
  const found = choices.find((each) => each === word);
  if (found !== undefined) return found;
  throw usageError(`${flag} is one of ${choices.join(', ')}, not "${word}".`);
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
