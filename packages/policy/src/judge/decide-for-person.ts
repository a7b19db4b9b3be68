import { PERMISSION_MODES } from '../modes/permission-modes.ts';
import type { ToolRequest } from '../request/request.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import { explainFinding } from './explain.ts';
import type { Policy } from './policy.ts';

/**
 * Decides as a client does, in the name of its person: in a mode that approves it, leaving plan mode is allowed. An agent
 * that decides for itself always asks for that.
 */
export function decideForPerson(policy: Policy, request: ToolRequest): Decision {
  const decision = decide(policy, request);
  const isApproved =
    decision.verdict === 'ask' &&
    decision.reason === 'mode-switch' &&
    PERMISSION_MODES[policy.mode].approvesModeSwitch === true;
  if (!isApproved) return decision;
  const finding = { verdict: 'allow', reason: 'mode', text: decision.part ?? request.tool } as const;
  return { ...decision, ...finding, because: explainFinding(finding, policy.mode) };
}
