import type { Client } from '@parley/agent';
import type { HostedSession } from './hosted-session.ts';

/** What a host knows of those who share processes: one principal, or all of them. */
export interface Caller {
  /** The session that was used last, while it is open. */
  latest?: HostedSession | undefined;
  /** The client that was heard last, without a session. */
  latestClient?: Client | undefined;
  /** The login that was used last, for a process that is started later. */
  loginMethod?: string | undefined;
  /** The client that logged in last. */
  loginClient?: Client | undefined;
}

/** The client that hears what belongs to no session. */
export function latestClientOf({ latest, latestClient }: Caller): Client | undefined {
  return latest?.session.client ?? latestClient;
}
