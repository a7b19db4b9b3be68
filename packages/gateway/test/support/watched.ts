import { onTestFinished } from 'vitest';
import type { GatewayEvent, GatewayOptions } from '../../src/index.ts';
import { type Gateway, gateway } from '../../src/index.ts';
import { rawClient } from './hosting.ts';

/** A gateway whose events are kept, and that ends with its test. */
export function watched(options: GatewayOptions): { readonly server: Gateway; readonly events: GatewayEvent[] } {
  const events: GatewayEvent[] = [];
  const server = gateway({
    ...options,
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  onTestFinished(() => server.close());
  return { server, events };
}

/** A client of a gateway, as somebody. */
export function clientOf(server: Gateway, principal = 'local', agent?: string): ReturnType<typeof rawClient> {
  const options = { principal, ...(agent !== undefined && { agent }) };
  return rawClient({ serve: (wire) => server.serve(wire, options) });
}

/** The events of some kinds, oldest first. */
export function ofKind<Kind extends GatewayEvent['kind']>(
  events: readonly GatewayEvent[],
  ...kinds: readonly Kind[]
): Extract<GatewayEvent, { kind: Kind }>[] {
  return events.filter((event): event is Extract<GatewayEvent, { kind: Kind }> =>
    (kinds as readonly string[]).includes(event.kind),
  );
}
