import { type LaunchConfig, LaunchConfigError, parseLaunchConfig } from '@parley/dialects/launch-config';
import { isRecord } from '@parley/jsonrpc/internal';
import { UsageError } from '../errors.ts';
import { type AgentAddress, type NetworkAddress, parseAddress } from '../source/address.ts';

/** One agent out of somebody's settings. */
export interface ConfiguredAgent {
  readonly name: string;
  readonly address: AgentAddress;
  /** Where it was found: the file's name. */
  readonly from: string;
  /** How long it may take to come up, in milliseconds, where the settings say so. */
  readonly timeoutMs?: number;
}

/** What could not be read, so that a person can be told. */
export interface SettingsProblem {
  readonly name: string;
  readonly from: string;
  readonly because: string;
}

export interface AgentSettings {
  readonly agents: readonly ConfiguredAgent[];
  readonly problems: readonly SettingsProblem[];
  /** The agent to use when none is named, where the settings say so. */
  readonly defaultAgent?: string;
}

/**
 * Reads agents from settings in any of the shapes in use: `agent_servers` of Zed and JetBrains, `agents` of acpx
 * (`argv`) and of acp-ui (`transport`, `url`, `headers`). An entry that cannot be read is a problem, not a failure.
 */
export function readAgentSettings(settings: unknown, from: string): AgentSettings {
  const agents: ConfiguredAgent[] = [];
  const problems: SettingsProblem[] = [];
  const { agent_servers: servers, agents: named, defaultAgent } = fields(settings);
  for (const [name, entry] of [...Object.entries(fields(servers)), ...Object.entries(fields(named))]) {
    const address = readAgentAddress(entry);
    if (typeof address === 'string') problems.push({ name, from, because: address });
    else agents.push({ name, address, from, ...readTimeout(entry) });
  }
  return { agents, problems, ...(typeof defaultAgent === 'string' && { defaultAgent }) };
}

/** The address of an entry, or the reason why it has none. */
export function readAgentAddress(entry: unknown): AgentAddress | string {
  const given = fields(entry);
  const { command, args, argv, env, cwd, url, type } = given;
  const words = isTexts(argv) ? argv : [...oneOrMore(commandOf(command)), ...(isTexts(args) ? args : [])];
  const [program, ...rest] = words;
  if (typeof url !== 'string' && !program) {
    // Zed knows some agents by name alone; how to start them is its own business.
    return type === 'registry' || type === 'extension'
      ? 'it names no command of its own.'
      : 'it has neither a command nor a url.';
  }
  const { url: _url, headers, command: _command, ...tags } = given;
  try {
    if (typeof url === 'string') return toNetworkAddress(url, headers, tags);
    const place = { command: program, args: rest, env: fields(command).env ?? env };
    return toCommandAddress(parseLaunchConfig({ ...transportOf(tags), ...place }), cwd);
  } catch (error) {
    return error instanceof LaunchConfigError || error instanceof UsageError ? error.message : String(error);
  }
}

/** Other clients have `type` and `transport` for other purposes too; only what names a transport counts. */
function transportOf({ transport, type }: Record<string, unknown>): { readonly transport?: unknown } {
  const named = [transport, type].find((word) => typeof word === 'string' && TRANSPORTS.has(word));
  return named === undefined ? {} : { transport: named };
}

const TRANSPORTS: ReadonlySet<string> = new Set(['stdio', 'http', 'sse', 'websocket', 'post']);

function toCommandAddress(launch: LaunchConfig, cwd: unknown): AgentAddress {
  if (launch.kind !== 'stdio') throw new LaunchConfigError(`An agent reached over ${launch.kind} needs a "url".`);
  const { command, args, env } = launch;
  return {
    kind: 'command',
    command,
    args,
    ...(env.length > 0 && { env: texts(env) }),
    ...(typeof cwd === 'string' && { cwd }),
  };
}

/** The scheme of the address tells how it is spoken to; where a transport is named as well, that counts. */
function toNetworkAddress(url: string, headers: unknown, tags: Record<string, unknown>): NetworkAddress {
  const parsed = parseAddress(url);
  if (parsed.kind === 'command') throw new LaunchConfigError('Its "url" is not an address, such as wss://host/acp.');
  const { transport } = transportOf(tags);
  const address = transport === undefined ? parsed : spokenBy(parsed, transport);
  const read = parseLaunchConfig({ transport: 'http', url: address.url, headers });
  const pairs = read.kind === 'stdio' ? [] : read.headers;
  const secrets = ['token', 'tokenFile', 'tokenEnv', 'ca'].flatMap((name) =>
    typeof tags[name] === 'string' ? [[name, tags[name]] as const] : [],
  );
  return { ...address, ...(pairs.length > 0 && { headers: texts(pairs) }), ...Object.fromEntries(secrets) };
}

function spokenBy({ kind, url }: NetworkAddress, transport: unknown): NetworkAddress {
  if (transport === kind) return { kind, url };
  if (transport === 'websocket') return { kind: transport, url: url.replace(/^http/i, 'ws') };
  if (kind !== 'websocket' && (transport === 'http' || transport === 'sse' || transport === 'post'))
    return { kind: transport, url };
  throw new LaunchConfigError(`Its "url" does not fit its transport, which is ${transport}.`);
}

/** Some versions of Zed nest the command: `{ "command": { "path": "...", "args": [] } }`. */
function commandOf(command: unknown): unknown {
  if (typeof command !== 'object' || command === null || Array.isArray(command)) return command;
  const { path, args } = fields(command);
  return typeof path === 'string' ? [path, ...(isTexts(args) ? args : [])] : undefined;
}

function oneOrMore(command: unknown): string[] {
  if (typeof command === 'string') return [command];
  return isTexts(command) ? [...command] : [];
}

/** Settings count in seconds, as acpx does. */
function readTimeout(entry: unknown): { timeoutMs?: number } {
  const { timeout } = fields(entry);
  return typeof timeout === 'number' && timeout > 0 ? { timeoutMs: timeout * 1000 } : {};
}

function texts(pairs: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, String(value)]));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function fields(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
