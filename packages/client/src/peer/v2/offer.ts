import type { ClientCapabilities } from '@parley/protocol';
import type { ClientCapabilities as V2Capabilities } from '@parley/protocol/v2';
import { META } from '@parley/session';
import type { ProtocolVersion } from '../protocol-version.ts';
import { V1 } from '../v1/v1-peer.ts';

/** ACP v2 as it is offered. What speaks it is loaded when an agent takes the offer; until then nothing more is read from the agent. */
export const V2: ProtocolVersion = {
  version: 2,
  hasStrictIds: true,
  introduce(introduction) {
    // Who we are has one shape in both versions, and the check of the other is there already.
    V1.introduce(introduction);
    return { info: introduction.clientInfo, capabilities: capabilitiesToV2(introduction.capabilities) };
  },
  async connect(agent) {
    agent.connection.pause();
    try {
      const { connectV2 } = await import('./v2-peer.ts');
      return connectV2(agent);
    } finally {
      agent.connection.resume();
    }
  },
};

const OWN_CAPABILITIES = [META.notice, META.subagent];

/** Version 2 asks nothing of a client but questions and logins; what it has no word for, one that speaks Parley says beside it. */
function capabilitiesToV2({ auth, elicitation, _meta }: ClientCapabilities): V2Capabilities {
  return {
    ...(auth?.terminal && { auth: { terminal: {} } }),
    ...(elicitation && { elicitation }),
    _meta: Object.fromEntries(OWN_CAPABILITIES.flatMap((name) => (_meta?.[name] === true ? [[name, true]] : []))),
  };
}
