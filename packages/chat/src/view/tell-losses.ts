import type { AgentConnection } from '@parley/client';

/** Tells the person when the connection to an agent on the network is lost, and when it is back. */
export function tellLosses(connection: AgentConnection, say: (text: string) => void): void {
  let isLost = false;
  connection.on('state', (state) => {
    if (state === 'reconnecting') say(`connection lost, dialling ${connection.agent} again, for up to 10 minutes…`);
    if (state === 'connected' && isLost) say(`connected to ${connection.agent} again`);
    isLost = state === 'reconnecting';
  });
}

/** What an agent cannot do that only answers requests, as a part of a sentence. */
export function wordNoStream({ agent }: Pick<AgentConnection, 'agent'>): string {
  return `${agent} has no stream on which its answer and its questions could be received`;
}
