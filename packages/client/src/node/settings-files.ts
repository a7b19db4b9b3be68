import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { configHome } from '@parley/host/places';
import { UsageError } from '../errors.ts';
import { expandVariables } from '../mcp-servers/expand-variables.ts';
import type { McpServerConfig } from '../mcp-servers/mcp-servers.ts';
import {
  type AgentSettings,
  type ConfiguredAgent,
  readAgentSettings,
  type SettingsProblem,
} from '../settings/agent-settings.ts';

/** Where other ACP clients keep their agents. */
export function knownSettingsFiles(home: string = homedir()): readonly string[] {
  const config = configHome({ ...process.env, HOME: home });
  return [
    join(config, 'zed', 'settings.json'),
    join(home, '.jetbrains', 'acp.json'),
    join(home, '.acpx', 'config.json'),
    join(config, 'acp-ui', 'agents.json'),
  ];
}

/** The agents of all files that exist; an agent named twice is the first one's. A file that cannot be read is a problem. */
export async function loadAgentSettings(files: readonly string[] = knownSettingsFiles()): Promise<AgentSettings> {
  const agents = new Map<string, ConfiguredAgent>();
  const problems: SettingsProblem[] = [];
  let defaultAgent: string | undefined;
  for (const file of files) {
    const settings = await loadFile(file, problems);
    if (settings === undefined) continue;
    const found = readAgentSettings(settings, file);
    problems.push(...found.problems);
    defaultAgent ??= found.defaultAgent;
    for (const agent of found.agents) if (!agents.has(agent.name)) agents.set(agent.name, agent);
  }
  return { agents: [...agents.values()], problems, ...(defaultAgent !== undefined && { defaultAgent }) };
}

export interface McpConfig {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  readonly problems: readonly SettingsProblem[];
}

/** The MCP servers of a project's `.mcp.json`, variables filled in; none when there is no such file. */
export async function loadMcpConfig(
  directory: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<McpConfig> {
  const file = join(directory, '.mcp.json');
  const problems: SettingsProblem[] = [];
  const text = await readText(file, problems);
  return text === undefined ? { servers: {}, problems } : readMcpConfig(text, file, environment);
}

/** The MCP servers that the text of such a file names. */
export async function readMcpConfig(
  text: string,
  file: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<McpConfig> {
  const problems: SettingsProblem[] = [];
  const listed = ((await parseText(text, file, problems)) as { mcpServers?: unknown } | undefined)?.mcpServers;
  const servers: Record<string, McpServerConfig> = {};
  for (const [name, server] of Object.entries(typeof listed === 'object' && listed !== null ? listed : {})) {
    if (typeof server !== 'object' || server === null) {
      problems.push({ name, from: file, because: 'it is not an object.' });
      continue;
    }
    servers[name] = expandVariables(server as McpServerConfig, environment, (variable) =>
      problems.push({ name, from: file, because: `the environment has no ${variable}.` }),
    );
  }
  return { servers, problems };
}

async function loadFile(file: string, problems: SettingsProblem[]): Promise<unknown> {
  const text = await readText(file, problems);
  return text === undefined ? undefined : parseText(text, file, problems);
}

async function readText(file: string, problems: SettingsProblem[]): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
    if (!isMissing) problems.push(problemOf(file, error));
    return undefined;
  }
}

async function parseText(text: string, file: string, problems: SettingsProblem[]): Promise<unknown> {
  try {
    return await parseSettings(text, file);
  } catch (error) {
    problems.push(problemOf(file, error));
    return undefined;
  }
}

/** Reads JSON as editors write it: with comments and trailing commas. */
async function parseSettings(text: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    // Most files are plain JSON, and need no other reader.
    const { JsonTextError, readJsonText } = await import('@parley/host/json-text');
    try {
      return readJsonText(text, { allowsComments: true }).value;
    } catch (cause) {
      if (!(cause instanceof JsonTextError)) throw cause;
      const { line, column } = cause.position;
      const message = `${file} is not valid JSON: line ${line}, column ${column}: ${cause.message}.`;
      throw new UsageError('invalid_settings', message, { cause });
    }
  }
}

function problemOf(file: string, error: unknown): SettingsProblem {
  return { name: '', from: file, because: error instanceof Error ? error.message : String(error) };
}
