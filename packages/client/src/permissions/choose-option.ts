import {
  findPermissionOption,
  type PermissionOption,
  type PermissionWish,
  type RequestPermissionOutcome,
} from '@parley/protocol';
import type { PermissionAnswer } from './permission-options.ts';

export const CANCELLED: RequestPermissionOutcome = { outcome: 'cancelled' };

/**
 * The outcome for an answer: always one of the offered ids. An answer that none of the options can express is
 * `cancelled`, which never allows anything.
 */
export function chooseOption(
  options: readonly PermissionOption[],
  answer: PermissionAnswer | PermissionWish,
): RequestPermissionOutcome {
  if (answer === 'cancel') return CANCELLED;
  if (typeof answer === 'object') {
    const isOffered = options.some(({ optionId }) => optionId === answer.optionId);
    return isOffered ? selected(answer.optionId) : chooseOption(options, 'reject');
  }
  const found = findPermissionOption(options, answer === 'allow' || answer === 'reject' ? `${answer}_once` : answer);
  return found ? selected(found.optionId) : CANCELLED;
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
