import type { RefusedRequest } from '@parley/transports/listen';
import type { Monitor } from './events/monitor.ts';
import { RefusalEvents } from './events/refusal-events.ts';
import type { Gateway, GatewayListener, GatewayListenOptions } from './gateway-options.ts';
import { serveAll } from './serve-all.ts';

export interface OpenPortParts {
  readonly names: readonly string[];
  readonly serve: Gateway['serve'];
  readonly monitor: Monitor;
  /** How many connections a principal may have. */
  readonly connectionsOf: (principal: string) => number;
}

/** Opens a port for the agents of a gateway. What it needs is loaded now, and not before. */
export async function openPort(options: GatewayListenOptions, parts: OpenPortParts): Promise<GatewayListener> {
  const { whenClientLeaves, dialect, limits, onRefusal, ...rest } = options;
  const { names, serve, monitor, connectionsOf } = parts;
  const { listen } = await import('@parley/transports/listen');
  const refusals = new RefusalEvents(monitor);
  const listener = await listen({
    ...rest,
    names,
    limits: { maxConnectionsPerPrincipal: connectionsOf, ...limits },
    onRefusal: (refusal: RefusedRequest) => {
      refusals.see(refusal);
      onRefusal?.(refusal);
    },
  });
  const served = serveAll(
    listener,
    { ...(whenClientLeaves && { whenClientLeaves }), ...(dialect && { dialect }) },
    serve,
  );
  const close: GatewayListener['close'] = async (closing) => {
    await listener.close(closing);
    await served;
    refusals.close();
  };
  return {
    url: listener.url,
    port: listener.port,
    urlOf: (name) => `${listener.url}/${name}`,
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}
