import type { PermissionOption, RequestPermissionOutcome } from '@parley/protocol';
import type { Decision } from '../judge/decision.ts';
import type { RememberScope } from '../memory/remembered.ts';
import type { ToolRequest } from '../request/request.ts';
import { isApproval, isLasting } from './choose-option.ts';
import { type LastingAnswer, type ToRemember, whatToRemember } from './what-to-remember.ts';
import { type WiderRule, widerRule } from './wider-rule.ts';

/** An option that an agent offers, and what choosing it would mean. */
export interface OfferedOption {
  readonly option: PermissionOption;
  readonly isAllow: boolean;
  /** What to keep; absent for "once". */
  readonly remember?: ToRemember;
}

/** What the person's choice came to. */
export interface Answer {
  readonly isAllowed: boolean;
  /** The turn was cancelled; nobody said no. */
  readonly isCancelled: boolean;
  readonly chosen?: OfferedOption;
}

/** Options for a question about this request; "always" is offered only where it would change anything, and says what it covers. */
export function offerOptions(
  request: ToolRequest,
  decision: Decision,
  cwd: string,
  scopes: readonly RememberScope[] = ['session', 'project'],
): OfferedOption[] {
  const always = scopes.flatMap((scope): OfferedOption[] => {
    const remember = whatToRemember({ request, decision, isAllow: true, scope, cwd });
    return remember ? [lasting(remember, true)] : [];
  });
  const rule = widerRule(request, decision, cwd);
  const wider = scopes.flatMap((scope) => (rule?.scopes.includes(scope) ? [likeThis(rule, scope)] : []));
  const never = always.slice(0, 1).flatMap(({ remember }) => (remember ? [lasting(remember, false)] : []));
  return [
    { option: { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' }, isAllow: true },
    ...always,
    // Behind the exact ones: a client that takes the first "always" takes no more than this request.
    ...wider,
    { option: { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' }, isAllow: false },
    ...never,
  ];
}

/** Covers what it says. */
function likeThis({ kind, rule, shown }: WiderRule, scope: RememberScope): OfferedOption {
  return {
    option: {
      optionId: `allow_${kind}_${scope}`,
      name: `Allow ${shown} ${SCOPE_WORDS[scope]}`,
      kind: 'allow_always',
    },
    isAllow: true,
    remember: { scope, what: { type: 'rule', rule }, shown },
  };
}

function lasting(remember: ToRemember, isAllow: boolean): OfferedOption {
  const { scope, shown } = remember;
  return {
    option: {
      optionId: `${isAllow ? 'allow' : 'reject'}_always_${scope}`,
      name: `${isAllow ? 'Always allow' : 'Always reject'} ${shown} ${SCOPE_WORDS[scope]}`,
      kind: isAllow ? 'allow_always' : 'reject_always',
    },
    isAllow,
    remember,
  };
}

/** What choosing each of an agent's own options would mean; with `about`, also what is then remembered. */
export function readOptions(
  options: readonly PermissionOption[],
  about?: Omit<LastingAnswer, 'isAllow'>,
): OfferedOption[] {
  return options.map((option) => {
    const isAllow = isApproval(option);
    const remember = about && isLasting(option) ? whatToRemember({ ...about, isAllow }) : undefined;
    return { option, isAllow, ...(remember && { remember }) };
  });
}

/** Reads the client's answer. An option that was not offered is a rejection. */
export function readAnswer(offered: readonly OfferedOption[], outcome: RequestPermissionOutcome): Answer {
  if (outcome.outcome !== 'selected') return { isAllowed: false, isCancelled: true };
  const chosen = offered.find((each) => each.option.optionId === outcome.optionId);
  return { isAllowed: chosen?.isAllow ?? false, isCancelled: false, ...(chosen ? { chosen } : {}) };
}

const SCOPE_WORDS: Readonly<Record<RememberScope, string>> = {
  session: 'in this session',
  project: 'in this folder from now on',
  user: 'everywhere from now on',
};
