import type { RequestPermissionOutcome, RequestPermissionRequest } from '@parley/protocol';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import { chooseOutcome } from './options.ts';
import type { Policy } from './policy.ts';
import type { ToolRequest } from './request.ts';
import { requestFromToolCall } from './tool-call.ts';

/** A permission request as a client treats it: answered by the policy, or put to the person. */
export type Treatment = { readonly request: ToolRequest; readonly decision: Decision } & (
  | { readonly type: 'answered'; readonly outcome: RequestPermissionOutcome }
  | { readonly type: 'question' }
);

/** Answers `session/request_permission` by rule where a rule says so. A mode switch is always the person's to choose. */
export function answerRequest(policy: Policy, params: RequestPermissionRequest): Treatment {
  const request = requestFromToolCall(params.toolCall);
  const decision = decide(policy, request);
  if (decision.verdict === 'ask') return { type: 'question', request, decision };
  const choice = decision.verdict === 'allow' ? ({ type: 'allow' } as const) : ({ type: 'reject' } as const);
  const outcome = chooseOutcome(params.options, choice);
  if (outcome) return { type: 'answered', request, decision, outcome };
  // No option means what the policy says. A person may still choose; a denial may not become anything else.
  if (decision.verdict === 'allow' && policy.canAsk) return { type: 'question', request, decision };
  return { type: 'answered', request, decision, outcome: { outcome: 'cancelled' } };
}
