import { type AgentConnection, connect } from '@parley/client';
import { webSocketAgent } from '@parley/transports/websocket';
import { droppable } from './droppable-wire.ts';

/** A page waits for its server as long as it is open. */
const GIVE_UP_AFTER_MS = 30 * 24 * 3600_000;

/** How long an agent may take to list a session before its wire is taken for dead. */
const PROBE_MS = 5000;

export interface PageConnection {
  readonly connection: AgentConnection;
  /** Finds out whether the wire is still there, and opens another one where it is not. */
  probe(): void;
}

/** Connects to an agent of the server. Everything that the agent asks is left open for the person. */
export async function connectTo(url: URL, token: string): Promise<PageConnection> {
  const { source, drop } = droppable(webSocketAgent(url, { token, giveUpAfterMs: GIVE_UP_AFTER_MS }));
  // Logins in a terminal are shown with what to type on the machine of the server; the page itself has no terminal.
  const connection = await connect(
    { ...source, authenticateInTerminal: async () => false },
    {
      auth: { terminal: true },
      clientInfo: { name: 'parley-web', title: 'Parley in the browser', version: '0.1.0' },
      reconnect: true,
      unstable: true,
      protocol: 1,
      permissions: {
        // The rules are the server's; here is a person.
        decide: () => ({ verdict: 'ask', because: 'The agent asks.' }),
        ask: () => undefined,
      },
      elicitation: { form: () => undefined, url: () => undefined },
    },
  );
  return {
    connection,
    probe() {
      if (connection.state !== 'connected' || !connection.offers.listSessions) return;
      const timer = setTimeout(drop, PROBE_MS);
      connection
        .listSessions()
        .page()
        .catch(() => {})
        .finally(() => clearTimeout(timer));
    },
  };
}
