import type { Connection, NotificationHandler, RequestContext, RequestHandler } from '@parley/jsonrpc';
import { ValidationError } from '@parley/protocol/initialize';
import type { ClientPeer } from '../contract/client-peer.ts';
import type {
  AgentDefinition,
  ExtensionContext,
  ExtensionNotificationHandler,
  ExtensionRequestHandler,
} from '../contract/definition.ts';
import { Authentication } from '../service/authentication.ts';
import type { Credentials } from '../service/credentials.ts';
import type { AgentRuntime } from '../service/runtime.ts';
import { ServedClient } from '../service/served-client.ts';
import type { Service } from '../service/service.ts';
import { BoundClient } from '../turn/bound-client.ts';
import type { McpCalls } from './mcp-calls.ts';
import { requireDirectory } from './read-setup.ts';

/** A client at the far end of a connection that is there. */
export interface ConnectedPeer extends ClientPeer {
  readonly mcp: McpCalls;
}

export interface PeerServiceOptions {
  readonly connection: Connection;
  readonly runtime: AgentRuntime;
  readonly principal: string;
  readonly whenClientLeaves: 'cancel' | 'keep';
  readonly credentials: Credentials;
  readonly peer: ConnectedPeer;
  /** The method that logs in, for those who must. */
  readonly loginMethod: string;
}

/** What the handlers of one connection share, in every version. */
export interface PeerService extends Service {
  readonly client: ServedClient;
  readonly requests: Map<string, RequestHandler>;
  readonly notifications: Map<string, readonly NotificationHandler[]>;
  readonly connection: Connection;
  readonly definition: AgentDefinition;
  readonly authentication: Authentication;
  /** Takes what an MCP server of the client tells. */
  readonly hearMcp: (params: unknown) => void;
}

/** How a version reads the params of a method, and checks its result. */
export interface MethodChecks {
  readonly readParams: (method: string, value: unknown) => unknown;
  readonly requireResult: (method: string, result: unknown) => unknown;
}

/** Serves the methods of the agent's author; those of a version are added to it. */
export function createPeerService(options: PeerServiceOptions): PeerService {
  const { connection, runtime, principal, peer, credentials, whenClientLeaves, loginMethod } = options;
  const { definition } = runtime;
  const client = new ServedClient({ runtime, peer, principal, whenClientLeaves });
  const service: PeerService = {
    connection,
    definition,
    client,
    authentication: new Authentication({ definition, peer, principal, credentials, loginMethod }),
    requests: new Map<string, RequestHandler>(),
    notifications: new Map<string, readonly NotificationHandler[]>(),
    hearMcp: (params) => peer.mcp.hear(params),
    close: () => client.close(),
  };
  serveExtensions(service);
  return { ...service, ...anyExtensions(service) };
}

/** Adds the methods of a version. */
export function serveMethods(
  service: PeerService,
  handlers: Readonly<Record<string, (params: never, context: RequestContext) => unknown>>,
  checks: MethodChecks,
): void {
  for (const [method, handler] of Object.entries(handlers)) {
    service.requests.set(method, (context) => answer(service, checks, handler, context));
  }
}

/** Takes a notification of a version. One that cannot be read is the client's mistake, which nobody can be told but the author. */
export function serveNotification<Params>(
  { definition, notifications }: PeerService,
  method: string,
  { read, run }: { readonly read: (params: unknown) => Params; readonly run: (params: Params) => void },
): void {
  const take = (params: unknown): void => {
    let given: Params;
    try {
      given = read(params);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const message = `Ignored ${method}: ${error.message}.`;
      return definition.report({ kind: 'invalid_message', message, direction: 'in', method });
    }
    run(given);
  };
  notifications.set(method, [take]);
}

/** Checks the params and the login, in this order, and without waiting where it can be helped. */
function answer(
  { authentication, definition }: PeerService,
  { readParams, requireResult }: MethodChecks,
  handler: (params: never, context: RequestContext) => unknown,
  context: RequestContext,
): unknown {
  const { method } = context;
  const params = readParams(method, context.params) as never;
  if (!authentication.isOpen && method.startsWith('session/')) return authentication.require().then(begin);
  return begin();

  async function begin(): Promise<unknown> {
    const looking = requireDirectory(definition, method, params);
    if (looking) await looking;
    return requireResult(method, await handler(params, context));
  }
}

function serveExtensions(service: PeerService): void {
  const { definition, requests, notifications } = service;
  for (const [name, handler] of definition.requests) requests.set(name, extensionRequest(service, handler));
  for (const [name, handlers] of definition.notifications)
    notifications.set(
      name,
      handlers.map((handler) => extensionNotification(service, handler)),
    );
}

function anyExtensions(service: PeerService): Pick<Service, 'anyRequest' | 'anyNotification'> {
  const { onAnyRequest, onAnyNotification } = service.definition;
  return {
    ...(onAnyRequest && { anyRequest: extensionRequest(service, onAnyRequest) }),
    ...(onAnyNotification && { anyNotification: extensionNotification(service, onAnyNotification) }),
  };
}

function extensionRequest(service: PeerService, handler: ExtensionRequestHandler): RequestHandler {
  return ({ method, params, signal }) => handler({ method, params, ...extensionContext(service, signal), signal });
}

function extensionNotification(service: PeerService, handler: ExtensionNotificationHandler): NotificationHandler {
  return (params, method) => handler({ method, params, ...extensionContext(service, service.connection.signal) });
}

function extensionContext(
  { client }: PeerService,
  signal: AbortSignal,
): Pick<ExtensionContext, 'principal' | 'session' | 'client'> {
  const { peer, principal } = client;
  return {
    principal,
    session: (sessionId) => client.find(sessionId),
    client: new BoundClient({ peer, sessionId: '', cwd: '/', signal }),
  };
}
