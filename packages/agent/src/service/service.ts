import type { Connection, NotificationHandler, RequestHandler } from '@parley/jsonrpc';
import type { InitializeRequest } from '@parley/protocol';
import type { AgentAtWork } from './agent-at-work.ts';
import type { Credentials } from './credentials.ts';

/** What serving one client needs to know. */
export interface ServiceOptions {
  readonly agent: AgentAtWork;
  readonly connection: Connection;
  readonly principal: string;
  readonly initialize: InitializeRequest;
  /** The params of `initialize` as they came. */
  readonly params: unknown;
  readonly credentials: Credentials;
  /** What becomes of the turns that a client has begun when it is gone. */
  readonly whenClientLeaves: 'cancel' | 'keep';
}

/** What one client is served with, by the names of the methods. */
export interface Service {
  readonly requests: ReadonlyMap<string, RequestHandler>;
  readonly notifications: ReadonlyMap<string, readonly NotificationHandler[]>;
  /** Take what is no part of the protocol and has no handler of its own. */
  readonly anyRequest?: RequestHandler | undefined;
  readonly anyNotification?: NotificationHandler | undefined;
  /** The client is gone. Resolves when everything it had open is closed. */
  close(): Promise<void>;
}
