import type { PermissionOption, PermissionOptionKind, RequestPermissionOutcome } from '@parley/protocol';
import type { PermissionAnswer } from './permission-options.ts';

export const CANCELLED: RequestPermissionOutcome = { outcome: 'cancelled' };

/** Which kinds stand for an answer, best first. A yes is never made longer than it was meant; a no may be, rather than be lost. */
const KINDS: { readonly [Answer in Exclude<PermissionAnswer, object | 'cancel'>]: readonly PermissionOptionKind[] } = {
  allow: ['allow_once'],
  allow_once: ['allow_once'],
  allow_always: ['allow_always', 'allow_once'],
  reject: ['reject_once', 'reject_always'],
  reject_once: ['reject_once', 'reject_always'],
  reject_always: ['reject_always', 'reject_once'],
};

/**
 * The outcome for an answer: always one of the offered ids. Where two options have a kind, the first is taken. An answer
 * that none of the options can express is `cancelled`, which never allows anything.
 */
export function chooseOption(options: readonly PermissionOption[], answer: PermissionAnswer): RequestPermissionOutcome {
  if (answer === 'cancel') return CANCELLED;
  if (typeof answer === 'object') {
    const isOffered = options.some(({ optionId }) => optionId === answer.optionId);
    return isOffered ? selected(answer.optionId) : chooseOption(options, 'reject');
  }
  for (const kind of KINDS[answer]) {
    const option = options.find((each) => each.kind === kind);
    if (option) return selected(option.optionId);
  }
  return CANCELLED;
}

/** What an outcome means, by the kind of the option that was chosen. */
export function meaningOf(
  options: readonly PermissionOption[],
  outcome: RequestPermissionOutcome,
): 'allowed' | 'rejected' | 'cancelled' {
  if (outcome.outcome !== 'selected') return 'cancelled';
  const chosen = options.find(({ optionId }) => optionId === outcome.optionId);
  return chosen?.kind.startsWith('allow') ? 'allowed' : 'rejected';
}

function selected(optionId: string): RequestPermissionOutcome {
  return { outcome: 'selected', optionId };
}
