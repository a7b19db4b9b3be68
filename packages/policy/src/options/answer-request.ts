import type { RequestPermissionOutcome, RequestPermissionRequest } from '@parley/protocol';
import { decide } from '../judge/decide.ts';
import type { Decision } from '../judge/decision.ts';
import { explainFinding } from '../judge/explain.ts';
import type { Policy } from '../judge/policy.ts';
import type { ToolRequest } from '../request/request.ts';
import { requestFromToolCall } from '../request/tool-call.ts';
import { chooseOutcome } from './options.ts';

/** A permission request as a client treats it: answered by the policy, or put to the person. */
export type Treatment = { readonly request: ToolRequest; readonly decision: Decision } & (
  | { readonly type: 'answered'; readonly outcome: RequestPermissionOutcome }
  | { readonly type: 'question' }
);

/**
 * Answers `session/request_permission` by rule where a rule says so. A mode switch is the person's to choose, unless the
 * person has allowed everything.
 */
export function answerRequest(policy: Policy, params: RequestPermissionRequest): Treatment {
  const request = requestFromToolCall(params.toolCall);
  const decision = decideForPerson(policy, request);
  if (decision.verdict === 'ask') return { type: 'question', request, decision };
  const choice = decision.verdict === 'allow' ? ({ type: 'allow' } as const) : ({ type: 'reject' } as const);
  const outcome = chooseOutcome(params.options, choice);
  if (outcome) return { type: 'answered', request, decision, outcome };
  // No option means what the policy says. A person may still choose; a denial may not become anything else.
  if (decision.verdict === 'allow' && policy.canAsk) return { type: 'question', request, decision };
  return { type: 'answered', request, decision, outcome: { outcome: 'cancelled' } };
}

/**
 * Decides as a client does, in the name of its person: whoever allowed everything has also allowed leaving plan mode. An
 * agent that decides for itself always asks for that.
 */
export function decideForPerson(policy: Policy, request: ToolRequest): Decision {
  const decision = decide(policy, request);
  const isApproved =
    policy.mode === 'bypassPermissions' && decision.verdict === 'ask' && decision.reason === 'mode-switch';
  if (!isApproved) return decision;
  const finding = { verdict: 'allow', reason: 'mode', text: decision.part ?? request.tool } as const;
  return { ...decision, ...finding, because: explainFinding(finding, policy.mode) };
}
