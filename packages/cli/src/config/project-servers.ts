import { readFile } from 'node:fs/promises';
import { type McpServerInput, toMcpServers } from '@parley/client';
import { readMcpConfig } from '@parley/client/node';
import type { McpServer } from '@parley/protocol';
import { findUp, MCP_FILE, type Places } from '../places.ts';
import { isTrusted, type TrustedFile } from './trust.ts';

/** The MCP servers that a project names. */
export interface ProjectServers {
  readonly path: string;
  /** None until the person trusts the file as it is: a repository that one has just cloned must not choose what runs. */
  readonly servers: readonly McpServer[];
  /** What is left out, by name, until then. */
  readonly untrusted: readonly string[];
  /** What cannot be used, and why. */
  readonly problems: readonly string[];
}

interface ProjectContext {
  readonly places: Places;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Looks for the project's file and reads it; undefined when there is none. Nothing that it names is started here. */
export async function readProjectServers(cwd: string, context: ProjectContext): Promise<ProjectServers | undefined> {
  const file = await readMcpFile(cwd, context.env);
  if (!file) return undefined;
  const { servers, problems } = await readMcpConfig(file.text, file.path, context.env);
  const told = problems.map(({ name, because }) => (name === '' ? because : `${name}: ${because}`));
  const found = { path: file.path, servers: [], untrusted: [], problems: told };
  if (await isTrusted(file, context.places)) return { ...found, servers: toMcpServers(servers as McpServerInput) };
  return { ...found, untrusted: Object.keys(servers), problems: [] };
}

/** The project's file as it is now. */
export async function readMcpFile(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<TrustedFile | undefined> {
  const path = findUp(MCP_FILE, cwd, env);
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : { path, text };
}
