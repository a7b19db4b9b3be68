import { type LaunchConfig, LaunchConfigError, parseLaunchConfig } from '@parley/dialects/launch-config';
import type { AgentAddress } from '../connect/source/address.ts';

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
  const { url: _url, headers: _headers, command: _command, ...tags } = given;
  const place = typeof url === 'string' ? { url, headers: given.headers } : { command: program, args: rest };
  try {
    return toAddress(parseLaunchConfig({ ...transportOf(tags), ...place, env: fields(command).env ?? env }), cwd);
  } catch (error) {
    return error instanceof LaunchConfigError ? error.message : String(error);
  }
}

/** Other clients have `type` and `transport` for other purposes too; only what names a transport counts. */
function transportOf({ transport, type }: Record<string, unknown>): { readonly transport?: unknown } {
  const named = [transport, type].find((word) => typeof word === 'string' && TRANSPORTS.has(word));
  return named === undefined ? {} : { transport: named };
}

const TRANSPORTS: ReadonlySet<string> = new Set(['stdio', 'http', 'sse', 'websocket']);

function toAddress(launch: LaunchConfig, cwd: unknown): AgentAddress {
  if (launch.kind === 'stdio') {
    const { command, args, env } = launch;
    return {
      kind: 'command',
      command,
      args,
      ...(env.length > 0 && { env: texts(env) }),
      ...(typeof cwd === 'string' && { cwd }),
    };
  }
  const { url, headers } = launch;
  return {
    kind: launch.kind === 'websocket' ? 'websocket' : 'http',
    url,
    ...(headers.length > 0 && { headers: texts(headers) }),
  };
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
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
