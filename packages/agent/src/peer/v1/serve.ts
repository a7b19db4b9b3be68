import { runtimeOf } from '../../service/runtime.ts';
import type { Service, ServiceOptions } from '../../service/service.ts';
import { serveV1 } from './serve-client.ts';
import { serveUnstable } from './serve-unstable.ts';

/** Serves a client that speaks version 1. */
export function serve({ agent, params: _, ...options }: ServiceOptions): Service {
  const service = serveV1({ ...options, runtime: runtimeOf(agent) });
  if (agent.definition.isUnstable) serveUnstable(service);
  return service;
}

/** The folder of a stored session, for clients that load one by its id alone. */
export async function findSession(
  agent: ServiceOptions['agent'],
  principal: string,
  sessionId: string,
): Promise<{ readonly cwd: string } | undefined> {
  const log = await runtimeOf(agent).log(principal);
  const record = await log.get(sessionId);
  return record && { cwd: record.cwd };
}
