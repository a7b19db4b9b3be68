import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usageError } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import { findHome } from '@parley/host/places';
import { shellLine } from '@parley/host/terminal';
import { cleanLine } from '@parley/terminal';
import type { CliContext } from '../context.ts';
import { findPlaces, findProjectFile, MCP_FILE, PROJECT_FILE } from '../places.ts';
import { checkConfig, formatProblem, isRecord } from './check-config.ts';
import type { Config } from './config.ts';
import { changeConfigFile, readConfigFile } from './config-file.ts';
import { CONFIG_KEYS } from './config-keys.ts';
import { getAt, parseKey, setAt, unsetAt } from './config-path.ts';
import { loadConfig } from './load-config.ts';
import { readMcpFile } from './project-servers.ts';
import { redactConfig } from './redact-config.ts';
import { trust } from './trust.ts';

interface Flags {
  readonly project?: boolean;
  readonly json?: boolean;
  readonly format?: string;
  readonly cwd?: string;
}

/** Prints a setting that holds here, or all of them. A secret is told only to who asks for that very setting. */
export async function getConfig(key: string | undefined, { json = false }: Flags, context: CliContext): Promise<void> {
  const { config } = await loadConfig(context);
  const whole = { ...defaults(), ...config };
  const write = (shown: unknown): void => void context.stdout.write(`${JSON.stringify(shown, null, json ? 0 : 2)}\n`);
  if (key === undefined) return write(redactConfig(whole));
  requireKnown(key);
  const value = getAt(whole, parseKey(key));
  if (value === undefined) throw usageError(`"${key}" is not set.`, shellLine`parley config set ${key} <value>`);
  if (typeof value === 'string' && !json) context.stdout.write(`${value}\n`);
  else write(isRecord(value) || Array.isArray(value) ? redactConfig(value, parseKey(key)) : value);
}

/** Prints all settings that hold here, where they come from, and what a project sets without being trusted. */
export async function showConfig({ json, format, cwd }: Flags, context: CliContext): Promise<void> {
  const { config, places, user, project, untrusted } = await loadConfig(context, resolve(context.cwd, cwd ?? '.'));
  const shown = {
    ...(redactConfig({ ...defaults(), ...config }) as Config),
    paths: { global: places.config, project: project?.path ?? null },
    loaded: { global: user !== undefined, project: project !== undefined },
    ...(untrusted.length > 0 && { untrusted }),
  };
  context.stdout.write(`${JSON.stringify(shown, null, json || format === 'json' ? 0 : 2)}\n`);
}

/** Writes a settings file to begin from; one that is there stays as it is. */
export async function initConfig(flags: Flags, context: CliContext): Promise<void> {
  const path = flags.project
    ? join(resolve(context.cwd, flags.cwd ?? '.'), PROJECT_FILE)
    : findPlaces(context.env).config;
  const isNew = !existsSync(path);
  if (isNew) await changeConfigFile(path, (config) => (config ? undefined : flags.project ? {} : defaults()));
  const { json, format } = flags;
  if (json || format === 'json') context.stdout.write(`${JSON.stringify({ path, created: isNew })}\n`);
  else if (format === 'quiet') context.stdout.write(`${path}\n`);
  else context.stdout.write(isNew ? `Created ${path}\n` : `There is a settings file already: ${path}\n`);
}

function defaults(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(CONFIG_KEYS).flatMap(([name, entry]) => ('default' in entry ? [[name, entry.default]] : [])),
  );
}

export async function setConfig(key: string, text: string, flags: Flags, context: CliContext): Promise<void> {
  requireKnown(key);
  const path = fileFor(flags, context);
  await changeConfigFile(path, (config = {}) => {
    const changed = setAt(config, parseKey(key), parseValue(text));
    const problems = checkConfig(changed);
    if (problems[0]) throw usageError(`This cannot be set: ${formatProblem(problems[0])}.`, 'parley config schema');
    return changed as Config;
  });
  const { json, format } = flags;
  const value = redactConfig(parseValue(text), parseKey(key));
  if (json || format === 'json') context.stdout.write(`${JSON.stringify({ path, key, value })}\n`);
  else if (format !== 'quiet') context.stdout.write(`${key} is ${JSON.stringify(value)} now, in ${path}\n`);
}

export async function unsetConfig(key: string, flags: Flags, context: CliContext): Promise<void> {
  const path = fileFor(flags, context);
  await changeConfigFile(path, (config) => {
    if (getAt(config, parseKey(key)) === undefined)
      throw usageError(`"${key}" is not set in ${path}.`, 'parley config get');
    return unsetAt(config ?? {}, parseKey(key)) as Config;
  });
  if (flags.format !== 'quiet') context.stdout.write(`${key} is no longer set in ${path}\n`);
}

export function printPath(flags: Flags, context: CliContext): void {
  context.stdout.write(`${fileFor(flags, context)}\n`);
}

export async function editConfig(flags: Flags, context: CliContext): Promise<void> {
  const path = fileFor(flags, context);
  const editor = context.env.VISUAL || context.env.EDITOR;
  if (!editor) throw usageError('No editor is set.', 'EDITOR=vi parley config edit', `parley config path`);
  if (!(await readConfigFile(path).catch(() => true)))
    await changeConfigFile(path, (config) => (config ? undefined : {}));
  // By way of a shell, because `$EDITOR` may have arguments: `code --wait`.
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${path}"`, { stdio: 'inherit', shell: true })
      : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw usageError(`The editor ended with code ${code}.`);
  await readConfigFile(path);
}

export async function trustProject(context: CliContext): Promise<void> {
  const { project, places } = await loadConfig(context);
  const mcp = await readMcpFile(context.cwd, context.env);
  const { findProjectSkills } = await import('@parley/coding-agent');
  const skills = await findProjectSkills([context.cwd], findHome(context.env));
  const files = [project, mcp, ...skills].filter((file) => file !== undefined);
  if (files.length === 0) throw usageError(`There is no ${PROJECT_FILE}, no ${MCP_FILE} and no skill here or above.`);
  const risky = Object.entries(project?.config ?? {}).filter(([name]) => CONFIG_KEYS[name]?.isHarmless === false);
  for (const [name, value] of risky) context.stdout.write(`${name}: ${JSON.stringify(value)}\n`);
  if (mcp) context.stdout.write(`${mcp.text.trim()}\n`);
  for (const { name, description } of skills) context.stdout.write(`skill ${name}: ${cleanLine(description)}\n`);
  for (const file of files) {
    await trust(file, places);
    context.stdout.write(`trusted ${file.path} as it is now; a change to it takes the trust away\n`);
  }
}

function fileFor({ project = false }: Flags, { env, cwd }: CliContext): string {
  return project ? (findProjectFile(cwd, env) ?? join(cwd, PROJECT_FILE)) : findPlaces(env).config;
}

function requireKnown(key: string): void {
  const [first = ''] = parseKey(key);
  if (Object.hasOwn(CONFIG_KEYS, first)) return;
  throw usageError(
    `There is no setting "${first}".${didYouMean(first, Object.keys(CONFIG_KEYS))}`,
    'parley config schema',
  );
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
