import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AgentLimits } from '@parley/agent';
import { bareHost, DEFAULT_HOST, DEFAULT_PORT, requirePort, type ServerSettings } from '@parley/gateway/command';
import { CliError, requireChoice, usageError } from '@parley/host/command-line';
import { settingsPath } from '@parley/host/places';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import { LOG_LEVELS, type ServeConfig } from '../config/serve-config.ts';
import type { CliContext } from '../context.ts';
import type { Places } from '../places.ts';
import { sessionLimits } from '../stores/session-limits.ts';
import { readStorePlace, type StorePlace, showStorePlace } from '../stores/store-place.ts';
import type { ServeFlags } from './serve-flags.ts';

/** The settings of a server, with those that our agents and the gateway are made by. */
export interface ServeSettings extends ServerSettings {
  readonly config: Config;
  readonly serve: ServeConfig;
  readonly places: Places;
  /** The file or the database that sessions are kept in; undefined keeps them in memory. */
  readonly storePath: StorePlace | undefined;
  readonly hasFiles: boolean;
  readonly hasTerminals: boolean;
  readonly limits: Partial<AgentLimits>;
  readonly idleMs: number | undefined;
  /** Whether the last messages are kept for the inspector. */
  readonly hasTraffic: boolean;
}

/**
 * The server's sessions have a file of their own: it is backed up and moved as one thing, and what editors and the chat keep in
 * `sessions.db` is neither served to people of the network nor held up by them.
 */
const STORE_FILE = 'gateway.db';

const DEFAULT_DRAIN_SECONDS = 30;

export async function readServeSettings(flags: ServeFlags, given: CliContext): Promise<ServeSettings> {
  const context = withConfigFile(flags.config, given);
  const { config, places } = await loadConfig(context);
  const { serve = {} } = config;
  const fromFlag = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolve(given.cwd, path);
  const fromSettings = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : settingsPath(path, { config: places.config, env: context.env });
  const store = storePath(flags, serve, { fromFlag, fromSettings, places });
  return {
    config,
    serve,
    places,
    place: readServePlace(flags, serve, { fromFlag, fromSettings }),
    mayBeRemote: flags.allowRemote ?? serve.allowRemote ?? false,
    tls: {
      cert: fromFlag(flags.tlsCert) ?? fromSettings(serve.tls?.cert),
      key: fromFlag(flags.tlsKey) ?? fromSettings(serve.tls?.key),
    },
    storePath: store,
    shownStore: store && showStorePlace(store),
    tokenFile: fromFlag(flags.tokenFile),
    hasFiles: flags.hostFiles ?? serve.files ?? false,
    hasTerminals: flags.hostTerminals ?? serve.terminals ?? false,
    limits: sessionLimits(serve),
    idleMs: serve.idleMinutes === undefined ? undefined : serve.idleMinutes * 60_000,
    drainMs: (serve.drainSeconds ?? DEFAULT_DRAIN_SECONDS) * 1000,
    log: {
      level: requireChoice('--log-level', flags.logLevel ?? serve.log?.level ?? 'info', LOG_LEVELS),
      file: fromFlag(flags.logFile) ?? fromSettings(serve.log?.file),
    },
    auditFile: fromFlag(flags.auditFile) ?? fromSettings(serve.audit),
    metrics: serve.metrics ?? 'token',
    hasPage: flags.web !== false && serve.web !== false,
    // Nobody could look at it without the page.
    hasTraffic: flags.web !== false && serve.web !== false && serve.traffic !== false,
  };
}

interface Finders {
  readonly fromFlag: (path: string | undefined) => string | undefined;
  readonly fromSettings: (path: string | undefined) => string | undefined;
}

/** `--config` is a settings file in place of the person's own. */
function withConfigFile(file: string | undefined, context: CliContext): CliContext {
  if (file === undefined) return context;
  const path = resolve(context.cwd, file);
  if (!existsSync(path))
    throw new CliError('settings_invalid', `There is no settings file ${path}.`, { next: ['parley config schema'] });
  return { ...context, env: { ...context.env, PARLEY_CONFIG: path } };
}

function readServePlace(
  flags: ServeFlags,
  serve: ServeConfig,
  { fromFlag, fromSettings }: Finders,
): ServeSettings['place'] {
  const isPlaceFlag = flags.host !== undefined || flags.port !== undefined;
  if (flags.socket !== undefined && isPlaceFlag) throw usageError('--socket takes the place of --host and --port.');
  const socketPath = fromFlag(flags.socket) ?? (isPlaceFlag ? undefined : fromSettings(serve.socket));
  if (socketPath !== undefined) return { socketPath, socketMode: Number.parseInt(serve.socketMode ?? '600', 8) };
  return {
    host: bareHost(flags.host ?? serve.host ?? DEFAULT_HOST),
    port: requirePort(flags.port ?? String(serve.port ?? DEFAULT_PORT)),
  };
}

function storePath(
  { store: flag }: ServeFlags,
  { store }: ServeConfig,
  { fromFlag, fromSettings, places }: Finders & { readonly places: Places },
): string | undefined {
  if (flag === false || (flag === undefined && store === false)) return undefined;
  const path = (find: (path: string | undefined) => string | undefined, word: string): string =>
    readStorePlace(word, (each) => find(each) ?? each);
  if (flag !== undefined) return path(fromFlag, flag);
  return store === undefined || store === false ? join(places.state, STORE_FILE) : path(fromSettings, store);
}
