import type { TurnRecord } from '../transcript/transcript.ts';
import { wordDuration } from './wording.ts';

/** What a view needs of a turn to say how it ended. */
export type TurnEnding = Omit<TurnRecord, 'firstEntry'>;

/** How a turn ended, where that is not obvious; the words of an error are the agent's own. */
export function wordTurnEnd(turn: TurnEnding): { readonly text: string; readonly isBad: boolean } | undefined {
  const { status, stopReason, error, startedAt, endedAt } = turn;
  const lasted = startedAt === undefined || endedAt === undefined ? undefined : endedAt - startedAt;
  if (status === 'failed') return { text: error ?? 'The turn failed.', isBad: true };
  const after = lasted === undefined ? '' : ` after ${wordDuration(lasted)}`;
  switch (stopReason) {
    case 'cancelled':
      return { text: `Cancelled${after}.`, isBad: false };
    case 'refusal':
      return { text: 'The agent refused; it will not remember this prompt.', isBad: true };
    case 'max_tokens':
      return { text: `Stopped${after}: the limit of tokens is reached. Say "go on" to continue.`, isBad: true };
    case 'max_turn_requests':
      return { text: `Stopped${after}: the limit of model calls in one turn is reached.`, isBad: true };
    default:
      return lasted !== undefined && lasted >= MIN_WORTH_TELLING_MS
        ? { text: `Done${after}.`, isBad: false }
        : undefined;
  }
}

/** A turn that took less time and ended well needs no remark. */
const MIN_WORTH_TELLING_MS = 10_000;
