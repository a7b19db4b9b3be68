import type { AgentConnection, ClientSession } from '@parley/client';
import type { Api } from '../connection/api.ts';

/** What every view of one session gets. */
export interface OpenSession {
  /** The agent's name at this server. */
  readonly agent: string;
  readonly session: ClientSession;
  readonly connection: AgentConnection;
  readonly api: Api;
}
