import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from '@parley/host/command-line';
import { makeFolder } from '@parley/host/places';
import type { GatewayEvent } from '../events/gateway-event.ts';
import type { Gateway, GatewayListenOptions } from '../gateway-options.ts';
import { auditLog, eventLog, metrics, operationRoutes } from '../operations/index.ts';
import type { ServerSettings } from './server-settings.ts';

/** Everything that listens to what happens in a server: its log, its audit, its figures. */
export interface Operations extends AsyncDisposable {
  readonly onEvent: (event: GatewayEvent) => void;
  /** `/healthz`, `/readyz` and `/metrics`. */
  routesFor(server: Gateway): NonNullable<GatewayListenOptions['routes']>;
}

export interface OperationsOptions {
  readonly settings: Pick<ServerSettings, 'log' | 'auditFile' | 'metrics'>;
  /** What is taken out of everything that is written; may grow. */
  readonly secrets: readonly string[];
  /** Whether stderr is read by a person, who gets short lines in place of the log. */
  readonly isTerminal: boolean;
  readonly tell: (event: GatewayEvent) => void;
}

export async function openOperations(options: OperationsOptions): Promise<Operations> {
  const { settings, secrets, isTerminal, tell } = options;
  const { level, file } = settings.log;
  if (file !== undefined) await requireWritable('log', file);
  if (settings.auditFile !== undefined) await requireWritable('audit', settings.auditFile);
  const hasLog = level !== 'silent' && (file !== undefined || !isTerminal);
  const log = hasLog ? eventLog({ level, secrets, ...(file !== undefined && { destination: file }) }) : undefined;
  const figures = settings.metrics === 'off' ? undefined : metrics();
  const onEvent = (event: GatewayEvent): void => {
    log?.(event);
    figures?.onEvent(event);
    audit?.onEvent(event);
    if (isTerminal) tell(event);
  };
  const path = settings.auditFile;
  const audit = path === undefined ? undefined : auditLog({ path, secrets, onFault: onEvent });
  return {
    onEvent,
    routesFor(server) {
      const routes = operationRoutes({ gateway: server, ...(figures && { metrics: figures }) });
      const { '/metrics': route, ...health } = routes;
      if (!route) return health;
      return { ...health, '/metrics': settings.metrics === 'anyone' ? { ...route, access: 'anyone' } : route };
    },
    async [Symbol.asyncDispose]() {
      figures?.close();
      await Promise.all([log?.close(), audit?.close()]);
    },
  };
}

/** A file that cannot be written is told when the server starts, and not by the lines that it lacks. */
export async function requireWritable(what: string, path: string): Promise<void> {
  try {
    await makeFolder(dirname(path));
    await (await open(path, 'a', 0o600)).close();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CliError('settings_invalid', `The ${what} cannot be written to ${path}: ${code}.`, {
      cause,
      next: [`--${what}-file <file in a folder that you may write to>`],
    });
  }
}
