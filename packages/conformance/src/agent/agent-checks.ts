import type { Protocol } from '../versions/protocol.ts';
import type { Check } from './agent-check.ts';
import { authentication } from './checks/authentication.ts';
import { cancellation } from './checks/cancellation.ts';
import { content } from './checks/content.ts';
import { elicitation } from './checks/elicitation.ts';
import { extensibility } from './checks/extensibility.ts';
import { files } from './checks/files.ts';
import { framing } from './checks/framing.ts';
import { initialization } from './checks/initialization.ts';
import { jsonRpc } from './checks/json-rpc.ts';
import { jsonRpcFaults } from './checks/json-rpc-faults.ts';
import { mcp } from './checks/mcp.ts';
import { modesAndConfig } from './checks/modes-and-config.ts';
import { permissions } from './checks/permissions.ts';
import { promptTurn } from './checks/prompt-turn.ts';
import { robustness } from './checks/robustness.ts';
import { sessionHistory } from './checks/session-history.ts';
import { sessionList } from './checks/session-list.ts';
import { sessions } from './checks/sessions.ts';
import { terminals } from './checks/terminals.ts';
import { toolCalls } from './checks/tool-calls.ts';
import { updates } from './checks/updates.ts';
import { lifecycle } from './checks/v2/lifecycle.ts';
import { sessions as sessions2 } from './checks/v2/sessions.ts';
import { setup as setup2 } from './checks/v2/setup.ts';
import { told } from './checks/v2/told.ts';

/** Every check of agents, of all versions, in the order of reports. */
export const AGENT_CHECKS: readonly Check[] = [
  ...framing,
  ...jsonRpcFaults,
  ...jsonRpc,
  ...initialization,
  ...authentication,
  ...sessions,
  ...sessionHistory,
  ...sessionList,
  ...promptTurn,
  ...updates,
  ...toolCalls,
  ...permissions,
  ...files,
  ...terminals,
  ...elicitation,
  ...cancellation,
  ...modesAndConfig,
  ...content,
  ...mcp,
  ...extensibility,
  ...robustness,
  ...setup2,
  ...sessions2,
  ...lifecycle,
  ...told,
];

/** The checks of agents that speak this version. */
export function agentChecks(protocol: Protocol): readonly Check[] {
  return AGENT_CHECKS.filter(({ protocols = [1] }) => protocols.includes(protocol));
}
