import type { CliError } from '@parley/host/command-line';
import { hideVariables } from '@parley/host/secrets';
import type { CliContext } from '../context.ts';
import { findPlaces, findProjectFile, type Places } from '../places.ts';
import type { Config, HooksConfig } from './config.ts';
import { type ConfigFile, readConfigFile, readProjectFile } from './config-file.ts';
import { CONFIG_KEYS } from './config-keys.ts';
import { isTrusted } from './trust.ts';

/** The settings that hold here: the person's own, with the project's over them. */
export interface LoadedConfig {
  readonly config: Config;
  readonly places: Places;
  readonly user: ConfigFile | undefined;
  readonly project: ConfigFile | undefined;
  /** Settings of the project file that are left out until the person trusts it. */
  readonly untrusted: readonly string[];
}

export async function loadConfig(context: CliContext, cwd: string = context.cwd): Promise<LoadedConfig> {
  const places = findPlaces(context.env);
  const projectPath = findProjectFile(cwd, context.env);
  const [user, project] = await Promise.all([
    readConfigFile(places.config),
    projectPath === undefined
      ? undefined
      : readProjectFile(projectPath, {
          isTrusted: (file) => isTrusted(file, places),
          report: (error) => reportIgnored(error, context),
        }),
  ]);
  const untrusted = project ? await untrustedKeys(project, places) : [];
  const ours = user?.config ?? {};
  const theirs = Object.fromEntries(
    Object.entries(project?.config ?? {}).filter(([name]) => !untrusted.includes(name)),
  );
  const config = merge(ours, theirs);
  hideVariables(keyVariables(config));
  return { config, places, user, project, untrusted };
}

/** Commands load the settings several times; a problem is reported once. */
function reportIgnored({ message, next = [] }: CliError, { stderr }: CliContext): void {
  if (reported.has(message)) return;
  reported.add(message);
  const hint = next[0] === undefined ? '' : `\ntry: ${next[0]}`;
  stderr.write(`parley: ${message}\nThe file is ignored.${hint}\n`);
}

const reported = new Set<string>();

/** The variables that the settings take keys of providers from, by name or in a header. */
function keyVariables({ providers = {} }: Config): readonly string[] {
  return Object.values(providers).flatMap(({ keyEnv, headers = {} }) => [
    ...(keyEnv === undefined ? [] : [keyEnv]),
    ...Object.values(headers).flatMap((text) => [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)),
  ]);
}

async function untrustedKeys(project: ConfigFile, places: Places): Promise<readonly string[]> {
  const risky = Object.keys(project.config).filter((name) => CONFIG_KEYS[name]?.isHarmless === false);
  if (risky.length === 0) return [];
  return (await isTrusted(project, places)) ? [] : risky;
}

/** The project's word counts; agents, providers and rules are joined, and no project takes back what its person denies. */
function merge(user: Config, project: Config): Config {
  const { permissions: ours = {} } = user;
  const { permissions: theirs = {} } = project;
  const joined = (name: 'allow' | 'ask' | 'deny'): readonly string[] => [
    ...(ours[name] ?? []),
    ...(theirs[name] ?? []),
  ];
  const hasPermissions = user.permissions !== undefined || project.permissions !== undefined;
  return {
    ...user,
    ...project,
    ...((user.agents || project.agents) && { agents: { ...user.agents, ...project.agents } }),
    ...((user.providers || project.providers) && { providers: { ...user.providers, ...project.providers } }),
    ...((user.deadlines || project.deadlines) && { deadlines: { ...user.deadlines, ...project.deadlines } }),
    ...((user.hooks || project.hooks) && { hooks: mergeHooks(user.hooks, project.hooks) }),
    ...(hasPermissions && {
      permissions: { ...ours, ...theirs, allow: joined('allow'), ask: joined('ask'), deny: joined('deny') },
    }),
  };
}

/** The person's own come first, and no project takes them away. */
function mergeHooks(user: HooksConfig = {}, project: HooksConfig = {}): HooksConfig {
  return {
    beforeTool: [...(user.beforeTool ?? []), ...(project.beforeTool ?? [])],
    afterTool: [...(user.afterTool ?? []), ...(project.afterTool ?? [])],
  };
}
