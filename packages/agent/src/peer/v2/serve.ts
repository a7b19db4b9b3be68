import { runtimeOf } from '../../service/runtime.ts';
import type { Service, ServiceOptions } from '../../service/service.ts';
import { serveV2 } from './serve-client.ts';
import { serveUnstable } from './serve-unstable.ts';

export { answerInitialize } from './capabilities.ts';

/** Serves a client that speaks version 2. */
export function serve({ agent, initialize: _, ...options }: ServiceOptions): Service {
  const service = serveV2({ ...options, runtime: runtimeOf(agent) });
  if (agent.definition.isUnstable) serveUnstable(service);
  return service;
}
