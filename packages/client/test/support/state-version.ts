import type { Connection } from '@parley/jsonrpc';
import { agentOffersFromV1 } from '@parley/session';
import type { AgentPeer } from '../../src/peer/agent-peer.ts';
import type { IntroducedAgent, ProtocolVersion } from '../../src/peer/protocol-version.ts';

/** What agents of this version send as `session/state`. */
export interface StateUpdate {
  readonly sessionId: string;
  /** The prompt whose turn has ended, as the answer to it named it. */
  readonly messageId?: string;
  readonly stopReason?: 'end_turn' | 'cancelled';
  readonly error?: string;
}

/**
 * A version of the protocol that tells turns by their state: a prompt is answered when it was accepted, and a
 * notification tells the end, also of turns that other clients have asked for.
 */
export const STATE_VERSION: ProtocolVersion = {
  version: 99,
  introduce: ({ clientInfo }) => ({ info: clientInfo }),
  connect(agent) {
    return {
      peer: createPeer(agent),
      facts: {
        protocolVersion: 99,
        offers: agentOffersFromV1({}),
        capabilityOf: (offer) => `offers.${offer}`,
        capabilities: {},
        agentInfo: undefined,
        meta: undefined,
      },
    };
  },
};

function createPeer({ connection, duties }: IntroducedAgent): AgentPeer {
  const turnIds = new Map<string, string>();
  connection.onNotification('session/text', (params) => {
    const { sessionId, text } = params as { sessionId: string; text: string };
    duties.onEvent(sessionId, { type: 'message_chunk', speaker: 'agent', content: { type: 'text', text } });
  });
  connection.onNotification('session/state', (params) => {
    const { sessionId, messageId = '', stopReason = 'end_turn', error } = params as StateUpdate;
    const promptId = turnIds.get(messageId);
    if (error === undefined) duties.onTurnEnd(sessionId, { type: 'turn_ended', promptId, stopReason });
    else duties.onTurnEnd(sessionId, { type: 'turn_failed', promptId, error: new Error(error) });
  });
  const peer: Partial<AgentPeer> & { readonly connection: Connection } = {
    connection,
    async newSession() {
      return { sessionId: await connection.request<string>('session/new') };
    },
    async prompt(sessionId, { promptId, content }, { signal }) {
      await connection.request(
        'session/prompt',
        { sessionId, content },
        {
          ...(signal && { signal }),
          read: (messageId) => void turnIds.set(String(messageId), promptId),
        },
      );
    },
    cancel: (sessionId) => void connection.notify('session/cancel', { sessionId }),
  };
  return peer as AgentPeer;
}
