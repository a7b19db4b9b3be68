import type { Check } from './check.ts';
import { authentication } from './groups/authentication.ts';
import { cancellation } from './groups/cancellation.ts';
import { content } from './groups/content.ts';
import { elicitation } from './groups/elicitation.ts';
import { extensibility } from './groups/extensibility.ts';
import { files } from './groups/files.ts';
import { framing } from './groups/framing.ts';
import { initialization } from './groups/initialization.ts';
import { jsonRpc } from './groups/json-rpc.ts';
import { jsonRpcFaults } from './groups/json-rpc-faults.ts';
import { mcp } from './groups/mcp.ts';
import { modesAndConfig } from './groups/modes-and-config.ts';
import { permissions } from './groups/permissions.ts';
import { promptTurn } from './groups/prompt-turn.ts';
import { robustness } from './groups/robustness.ts';
import { sessionHistory } from './groups/session-history.ts';
import { sessionList } from './groups/session-list.ts';
import { sessions } from './groups/sessions.ts';
import { terminals } from './groups/terminals.ts';
import { toolCalls } from './groups/tool-calls.ts';
import { updates } from './groups/updates.ts';

/** Every check of agents, in the order of reports. */
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
];
