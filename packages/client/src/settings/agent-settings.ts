import type { AgentAddress } from '../address.ts';

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
    const address = readAddress(entry);
    if (typeof address === 'string') problems.push({ name, from, because: address });
    else agents.push({ name, address, from, ...readTimeout(entry) });
  }
  return { agents, problems, ...(typeof defaultAgent === 'string' && { defaultAgent }) };
}

/** The address of an entry, or the reason why it has none. */
function readAddress(entry: unknown): AgentAddress | string {
  const { command, args, argv, env, cwd, url, headers, transport, type } = fields(entry);
  if (typeof url === 'string') {
    if (!URL.canParse(url)) return `"${url}" is not a valid URL.`;
    const isSocket = transport === 'websocket' || /^wss?:/i.test(url);
    return { kind: isSocket ? 'websocket' : 'http', url, ...(headers !== undefined && { headers: texts(headers) }) };
  }
  const words = isTexts(argv) ? argv : [...oneOrMore(commandOf(command)), ...(isTexts(args) ? args : [])];
  const [program, ...rest] = words;
  if (program === undefined || program === '') {
    // Zed knows some agents by name alone; how to start them is its own business.
    return type === 'registry' || type === 'extension'
      ? 'it names no command of its own.'
      : 'it has neither a command nor a url.';
  }
  const given = fields(fields(command).env ?? env);
  return {
    kind: 'command',
    command: program,
    args: rest,
    ...(Object.keys(given).length > 0 && { env: texts(given) }),
    ...(typeof cwd === 'string' && { cwd }),
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

function texts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(fields(value)).map(([key, item]) => [key, String(item)]));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
