import type { Route } from '@parley/transports/listen';
import type { Gateway } from '../gateway-options.ts';
import type { Metrics } from './metrics.ts';

export interface OperationRoutesOptions {
  readonly gateway: Pick<Gateway, 'state' | 'check'>;
  /** Without them there is no `/metrics`. */
  readonly metrics?: Pick<Metrics, 'text'>;
}

/** The text format of Prometheus. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * What whoever runs a gateway asks it: `/healthz` (does it live), `/readyz` (may clients come: 503 with the reasons while it starts,
 * drains, or cannot use its store) and `/metrics`, which is for those who have a token.
 */
export function operationRoutes({ gateway, metrics }: OperationRoutesOptions): Readonly<Record<string, Route>> {
  return {
    '/healthz': { access: 'anyone', handle: () => json(200, { status: 'ok' }) },
    '/readyz': {
      access: 'anyone',
      handle: async () => {
        const { isReady, reasons } = await gateway.check();
        return json(isReady ? 200 : 503, { ready: isReady, reasons });
      },
    },
    ...(metrics && {
      '/metrics': {
        access: 'token' as const,
        handle: async () => ({
          status: 200,
          headers: { 'content-type': METRICS_TYPE },
          body: await metrics.text(gateway.state),
        }),
      },
    }),
  };
}

function json(status: number, value: unknown): { status: number; headers: Record<string, string>; body: string } {
  return { status, headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(value)}\n` };
}
