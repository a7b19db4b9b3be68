import type { Transport } from '@parley/jsonrpc';
import { type AgentSource, isSource, sourceOf } from '../source/agent-source.ts';
import type { AgentConnection } from './agent-connection.ts';
import type { ConnectOptions } from './connect-options.ts';
import { LiveConnection } from './live-connection.ts';

/**
 * Connects to an agent: opens the source, or takes a transport that is open already, and introduces this client.
 * Whatever goes wrong, nothing is left running, and the error names the agent, the phase, and the agent's last words.
 */
export async function connect(agent: AgentSource | Transport, options: ConnectOptions = {}): Promise<AgentConnection> {
  options.signal?.throwIfAborted();
  const connection = new LiveConnection(isSource(agent) ? agent : sourceOf(agent), options);
  await connection.open();
  return connection;
}
