import { type Fault, type FaultProxy, startFaultProxy } from '@parley/testing/fault-proxy';
import type { Random } from '@parley/testing/mutations';

export interface BreakingProxyOptions {
  /** The server behind it. */
  readonly port: number;
  readonly random: Random;
  /** So many connections are broken, once it begins. */
  readonly breaks: number;
  /** Each within so many bytes. */
  readonly maxBytes?: number;
  readonly kinds?: readonly ('cut' | 'reset' | 'half_open' | 'slow')[];
}

/** A proxy that lets everything through until `begin`, and then breaks every connection amidst what is said. */
export interface BreakingProxy extends AsyncDisposable {
  readonly port: number;
  /** How many connections were broken so far. */
  readonly broken: number;
  /** From now on; what is open is broken as well. */
  begin(): void;
}

export async function startBreakingProxy(options: BreakingProxyOptions): Promise<BreakingProxy> {
  const { breaks } = options;
  let hasBegun = false;
  const draw = (): readonly Fault[] => (hasBegun && brokenBy(proxy) < breaks ? drawFaults(options) : []);
  const proxy: FaultProxy = await startFaultProxy({ port: options.port, plan: draw });
  return {
    port: proxy.port,
    get broken() {
      return brokenBy(proxy);
    },
    begin() {
      hasBegun = true;
      for (const connection of proxy.connections) {
        for (const fault of draw()) {
          if (!('afterBytes' in fault)) return connection.apply(fault);
          const sofar = fault.way === 'to_server' ? connection.bytesToServer : connection.bytesToClient;
          connection.apply({ ...fault, afterBytes: sofar + (fault.afterBytes ?? 0) });
        }
      }
    },
    [Symbol.asyncDispose]: () => proxy.close(),
  };
}

/** Mostly an end or a reset; now and then a pulled cable, or a slow line before the end. */
const USUAL_KINDS = [
  ...Array.from({ length: 14 }, () => ['cut', 'reset'] as const).flat(),
  'half_open',
  'slow',
] as const;

/** Most breaks come early, and so amidst the handshake or the first frames; a byte count knows no frames. */
function drawFaults({ random, maxBytes = 6000, kinds = USUAL_KINDS }: BreakingProxyOptions): readonly Fault[] {
  const kind = random.pick(kinds);
  const way = random.pick(['to_client', 'to_client', 'to_server'] as const);
  const afterBytes = 1 + Math.floor(random.below(maxBytes) * (random.below(1000) / 1000));
  if (kind !== 'slow') return [{ kind, way, afterBytes }];
  return [
    { kind, bytesPerSecond: 100_000 },
    { kind: 'reset', way, afterBytes },
  ];
}

function brokenBy({ stats: { faults } }: FaultProxy): number {
  return (faults.cut ?? 0) + (faults.reset ?? 0) + (faults.half_open ?? 0);
}
