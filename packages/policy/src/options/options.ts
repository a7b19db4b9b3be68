import { findPermissionOption, type PermissionOption, type RequestPermissionOutcome } from '@parley/protocol';
import type { Decision } from '../judge/decision.ts';
import {
  type Place,
  type Remembered,
  type RememberedWhat,
  type RememberScope,
  requestKey,
} from '../memory/remembered.ts';
import type { ToolRequest } from '../request/request.ts';
import { showText } from '../shell/check-text.ts';

/** An option that an agent offers, and what choosing it would mean. */
export interface OfferedOption {
  readonly option: PermissionOption;
  readonly isAllow: boolean;
  /** What to keep; absent for "once". */
  readonly remember?: { readonly scope: RememberScope; readonly what: RememberedWhat; readonly shown: string };
}

/** What the person's choice came to. */
export interface Answer {
  readonly isAllowed: boolean;
  /** The turn was cancelled; nobody said no. */
  readonly isCancelled: boolean;
  readonly chosen?: OfferedOption;
}

/** How the client wants to answer. `always` only when the person chose so. */
export type Choice = { readonly type: 'allow' | 'reject'; readonly always?: boolean } | { readonly type: 'cancelled' };

/** Options for a question about this request; "always" is offered only where it would change anything, and says what it covers. */
export function offerOptions(
  request: ToolRequest,
  decision: Decision,
  cwd: string,
  scopes: readonly RememberScope[] = ['session', 'project'],
): OfferedOption[] {
  const shown = describeRequest(request);
  const always = (effect: 'allow' | 'deny', scope: RememberScope): OfferedOption => {
    const isAllow = effect === 'allow';
    const key = requestKey(request, scope === 'user' ? undefined : cwd);
    const name = `${isAllow ? 'Always allow' : 'Always reject'} ${shown} ${SCOPE_WORDS[scope]}`;
    return {
      option: {
        optionId: `${isAllow ? 'allow' : 'reject'}_always_${scope}`,
        name,
        kind: isAllow ? 'allow_always' : 'reject_always',
      },
      isAllow,
      remember: { scope, what: { type: 'exact', key }, shown },
    };
  };
  const isShownWhole = shown.length <= MAX_SHOWN_CHARS;
  const canRemember = decision.canRemember && isShownWhole;
  return [
    { option: { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' }, isAllow: true },
    ...(canRemember ? scopes.map((scope) => always('allow', scope)) : []),
    { option: { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' }, isAllow: false },
    ...(canRemember ? scopes.slice(0, 1).map((scope) => always('deny', scope)) : []),
  ];
}

/** Reads the client's answer. An option that was not offered is a rejection. */
export function readAnswer(offered: readonly OfferedOption[], outcome: RequestPermissionOutcome): Answer {
  if (outcome.outcome !== 'selected') return { isAllowed: false, isCancelled: true };
  const chosen = offered.find((each) => each.option.optionId === outcome.optionId);
  return { isAllowed: chosen?.isAllow ?? false, isCancelled: false, ...(chosen ? { chosen } : {}) };
}

/** The entry to store for a chosen option; nothing for "once". */
export function rememberedFrom(
  chosen: OfferedOption,
  entry: { readonly id: string; readonly createdAt: string; readonly place: Place },
): Remembered | undefined {
  if (chosen.remember === undefined) return undefined;
  const { scope, what, shown } = chosen.remember;
  const belongsTo = scope === 'session' ? entry.place.sessionId : scope === 'project' ? entry.place.project : undefined;
  if (scope !== 'user' && belongsTo === undefined) return undefined;
  return {
    id: entry.id,
    effect: chosen.isAllow ? 'allow' : 'deny',
    scope,
    what,
    shown,
    createdAt: entry.createdAt,
    ...(belongsTo === undefined ? {} : { belongsTo }),
  };
}

/**
 * The outcome to send for a choice, picked by kind: once before always, unless the person chose always; a rejection is a
 * reject option. Nothing when the options have no answer of that kind and the person must choose among them.
 */
export function chooseOutcome(
  options: readonly PermissionOption[],
  choice: Choice,
): RequestPermissionOutcome | undefined {
  if (choice.type === 'cancelled') return { outcome: 'cancelled' };
  const found = findPermissionOption(options, `${choice.type}_${choice.always === true ? 'always' : 'once'}`);
  return found && { outcome: 'selected', optionId: found.optionId };
}

/** What a request does, in the words of the request itself; this is what "always" is about. */
export function describeRequest(request: ToolRequest): string {
  const { command } = request;
  if (command?.type === 'line') return quote(command.line);
  if (command?.type === 'arguments')
    return quote(command.words.map((word) => (/^[\w./:=@%+-]+$/.test(word) ? word : JSON.stringify(word))).join(' '));
  const name = request.tool || request.kind || 'this tool';
  if (request.paths !== undefined) return `${name} on ${request.paths.map(showText).join(', ')}`;
  if (request.url !== undefined) return `${name} of ${showText(request.url)}`;
  return request.input === undefined ? name : `${name} with ${showText(JSON.stringify(request.input) ?? '')}`;
}

function quote(text: string): string {
  return `\`${showText(text)}\``;
}

/** Beyond this an option could not show all it stands for, so "always" is not offered. */
const MAX_SHOWN_CHARS = 300;
const SCOPE_WORDS: Readonly<Record<RememberScope, string>> = {
  session: 'in this session',
  project: 'in this folder of the project',
  user: 'in every folder',
};
