import type { TraceOptions } from '@parley/client';
import { withoutSecrets } from '@parley/session/traces';
import type { TrafficWire } from './traffic-wire.ts';

/** A trace that hands everything to the traffic of a gateway, as it is, and to the trace that was asked for besides. */
export function traceToTraffic(wire: TrafficWire, given?: TraceOptions): TraceOptions {
  const clean = <Entry extends Parameters<typeof withoutSecrets>[0]>(entry: Entry): Entry =>
    given?.isRedacted === false ? entry : (withoutSecrets(entry, given) as Entry);
  return {
    isRedacted: false,
    write(entry) {
      wire.pass(entry.direction, entry.message);
      given?.write(clean(entry));
    },
    writeAside(entry) {
      wire.passAside(entry.kind, entry.kind === 'noise' ? entry.direction : 'in', entry.text);
      given?.writeAside?.(clean(entry));
    },
  };
}
