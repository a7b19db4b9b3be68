import { tellLosses } from '@parley/chat/view';
import { connect } from '@parley/client';
import type { ConnectAgentOptions, ConnectedAgent } from './hosting.ts';

/** Connects to an agent; one whose sessions are to be kept is hosted in this process, on our store. */
export async function connectAgent(request: ConnectAgentOptions): Promise<ConnectedAgent> {
  const { source, options, hosting, say } = request;
  if (hosting) {
    const { hostInProcess } = await import('./host-in-process.ts');
    return await hostInProcess({ ...request, hosting });
  }
  const connection = await connect(source, options);
  tellLosses(connection, say);
  return {
    connection,
    whenSaved: () => undefined,
    explain: (error) => error,
    pause: () => connection.pause(),
    resume: () => connection.resume(),
  };
}
