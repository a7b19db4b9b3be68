import { type AgentConnection, connect } from '@parley/client';
import { webSocketAgent } from '@parley/transports/websocket';

/** A page waits for its server as long as it is open. */
const GIVE_UP_AFTER_MS = 30 * 24 * 3600_000;

/** Connects to an agent of the server. Everything that the agent asks is left open for the person. */
export function connectTo(url: URL, token: string): Promise<AgentConnection> {
  return connect(webSocketAgent(url, { token, giveUpAfterMs: GIVE_UP_AFTER_MS }), {
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
  });
}
