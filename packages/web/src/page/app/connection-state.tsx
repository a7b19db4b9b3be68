import type { JSX } from 'preact';
import type { ServerState } from '../connection/follow-server.ts';
import { useStore } from '../parts/use-store.ts';
import type { AppModel } from './app-model.ts';

/** Whether the server is there, always in sight and in words. */
export function ConnectionState({ model }: { readonly model: AppModel }): JSX.Element {
  const server = useStore(model.server);
  useStore(model.connectionChanges);
  const agents = useStore(model.agents);
  const lost = [...model.connections.all].filter(([, { state }]) => state === 'reconnecting').map(([name]) => name);
  const kind = server === 'connected' && lost.length > 0 ? 'lost' : server;
  return (
    <p class={`connection connection-${kind}`} role="status">
      <span class="connection-mark" aria-hidden="true" />
      <span>{describe(server, lost)}</span>
      {agents && server === 'connected' && lost.length === 0 && <span class="connection-who">{agents.principal}</span>}
    </p>
  );
}

function describe(server: ServerState, lost: readonly string[]): string {
  switch (server) {
    case 'connecting':
      return 'Connecting';
    case 'lost':
      return 'Server gone; trying again. Nothing is lost: turns go on there, or are told as interrupted.';
    case 'refused':
      return 'Token refused';
    case 'connected':
      return lost.length === 0 ? 'Connected' : `Reconnecting to ${lost.join(', ')}`;
  }
}
