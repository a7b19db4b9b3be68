import { readFile, rename, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { CliError } from '@parley/host/command-line';
import { withFileLock } from '../file-lock.ts';
import { PROJECT_FILE } from '../places.ts';
import { checkConfig, formatProblem, isRecord } from './check-config.ts';
import type { Config } from './config.ts';
import { wordFileError } from './word-file-error.ts';

/** A settings file and what it says. */
export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  readonly config: Config;
}

/**
 * Reads the settings file of a project. A file that cannot be understood is reported and ignored, since it may come with
 * a clone; if the person trusts it, it throws like their own.
 */
export async function readProjectFile(
  path: string,
  { isTrusted, report }: ProjectFileOptions,
): Promise<ConfigFile | undefined> {
  try {
    return await readConfigFile(path);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const text = await readText(path).catch(() => undefined);
    if (text !== undefined && (await isTrusted({ path, text }))) throw error;
    report(error);
    return undefined;
  }
}

export interface ProjectFileOptions {
  readonly isTrusted: (file: Pick<ConfigFile, 'path' | 'text'>) => Promise<boolean>;
  readonly report: (error: CliError) => void;
}

/** Reads a settings file; undefined when there is none. Throws when it is there and cannot be understood. */
export async function readConfigFile(path: string): Promise<ConfigFile | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  const value = await parseJson(path, text);
  const config = withAgentServers(value);
  const problems = checkConfig(config);
  if (problems.length === 0) return { path, text, config: config as Config };
  throw new CliError(
    'settings_invalid',
    `${path} cannot be used:\n${problems.map((each) => `  ${formatProblem(each)}`).join('\n')}`,
    {
      next: [editLine(path), 'parley config schema'],
    },
  );
}

/**
 * Changes a settings file, or makes one, with nobody else changing it meanwhile; undefined leaves it as it is. It is
 * written whole: either the old one is there afterwards, or the new one.
 */
export async function changeConfigFile(
  path: string,
  change: (config: Config | undefined) => Config | undefined,
): Promise<void> {
  await withFileLock(path, async () => {
    const changed = change((await readConfigFile(path))?.config);
    if (changed === undefined) return;
    const temporary = `${path}.${process.pid}.tmp`;
    await writeFile(temporary, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600 });
    await rename(temporary, path);
  });
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CliError('settings_invalid', `${path} cannot be read: ${wordFileError(error)}`, { cause: error });
  }
}

async function parseJson(path: string, text: string): Promise<unknown> {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    const { wordJsonError } = await import('./word-json-error.ts');
    throw new CliError('settings_invalid', `${path} is not JSON: ${wordJsonError(text, error)}`, {
      cause: error,
      next: [editLine(path)],
    });
  }
}

/** The command that opens this file, and no other. */
function editLine(path: string): string {
  return basename(path) === PROJECT_FILE ? 'parley config edit --project' : 'parley config edit';
}

/** Zed and JetBrains call them `agent_servers`. */
function withAgentServers(value: unknown): unknown {
  if (!isRecord(value) || !('agent_servers' in value)) return value;
  const { agent_servers: servers, ...rest } = value;
  return { ...rest, agents: { ...(isRecord(servers) ? servers : {}), ...(isRecord(rest.agents) ? rest.agents : {}) } };
}
