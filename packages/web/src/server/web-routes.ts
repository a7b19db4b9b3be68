import type { Route } from '@parley/transports/listen';
import { type ApiOptions, apiRoutes } from './api/api-routes.ts';
import { pageRoutes } from './page-routes.ts';

export type { WebGateway } from './api/web-gateway.ts';

export interface WebOptions extends ApiOptions {}

/** What serves the page beside the agents: the page itself for anyone, and what it asks for, for those who have a token. */
export function webRoutes(options: WebOptions): Readonly<Record<string, Route>> {
  return { ...pageRoutes(), ...apiRoutes(options) };
}
