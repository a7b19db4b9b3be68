import { type Connection, type NotificationHandler, type RequestHandler, RpcError } from '@parley/jsonrpc';
import type { InitializeRequest } from '@parley/protocol';
import { serveV1 } from '../peer/v1/serve-client.ts';
import { serveUnstable } from '../peer/v1/serve-unstable.ts';
import type { AgentAtWork } from './agent-at-work.ts';
import type { Credentials } from './credentials.ts';
import { AgentRuntime } from './runtime.ts';
import type { ServedClient } from './served-client.ts';

export interface ServiceOptions {
  readonly agent: AgentAtWork;
  readonly connection: Connection;
  readonly principal: string;
  readonly initialize: InitializeRequest;
  readonly credentials: Credentials;
}

/** What one client is served with, by the names of the methods. */
export interface Service {
  readonly client: ServedClient;
  readonly requests: Map<string, RequestHandler>;
  readonly notifications: Map<string, readonly NotificationHandler[]>;
}

/** Puts an agent on the connection of a client that has introduced itself, in the version that the two agreed on. */
export function beginService({ agent, connection, principal, initialize, credentials }: ServiceOptions): Service {
  agent.runtime ??= new AgentRuntime(agent.definition);
  const service = serveV1({ connection, runtime: agent.runtime, principal, initialize, credentials });
  if (agent.definition.isUnstable) serveUnstable(service);

  for (const [method, handler] of service.requests) connection.onRequest(method, handler);
  for (const [method, handlers] of service.notifications) {
    for (const handler of handlers) connection.onNotification(method, handler);
  }
  connection.onAnyRequest(({ method }) => {
    throw RpcError.methodNotFound(method);
  });
  return service;
}
