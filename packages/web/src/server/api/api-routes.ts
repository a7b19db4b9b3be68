import type { Route, RouteReply } from '@parley/transports/listen';
import type { AgentsReply } from '../../api/index.ts';
import type { WebGateway } from './web-gateway.ts';

export interface ApiOptions {
  readonly gateway: WebGateway;
  /** Where a session works unless somebody chooses another folder. */
  readonly cwd: string;
}

/** What the page asks for, beside ACP. */
export function apiRoutes({ gateway, cwd }: ApiOptions): Readonly<Record<string, Route>> {
  return {
    '/api/agents': {
      access: 'token',
      handle: ({ principal = '' }) => {
        const agents = gateway.names.map((name) => ({ name, isDefault: name === gateway.defaultAgent }));
        return json({ agents, cwd, principal } satisfies AgentsReply);
      },
    },
  };
}

function json(value: unknown): RouteReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
