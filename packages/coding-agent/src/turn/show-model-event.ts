import type { Turn } from '@parley/agent';
import type { History, ModelEvent, ModelRequest, Usage } from '@parley/models/model';
import { estimateRequestTokens, estimateTokens } from '../loop/compact.ts';
import type { UsageCount } from '../session/usage-count.ts';

/** Shows a piece of the model's answer as it comes. A promise only when the client reads slowly or the log writes slowly. */
export function showModelEvent(turn: Turn, event: ModelEvent): void | Promise<void> {
  switch (event.type) {
    case 'text':
      return event.text === '' ? undefined : turn.say(event.text);
    case 'thought':
      return event.text === '' ? undefined : turn.think(event.text);
    default:
      return undefined;
  }
}

/** A client that has no place for it is not told: in the conversation it would stay, and most such silences are thoughts. */
export function showSilence(turn: Turn, silentMs: number): void {
  if (!turn.client.offers.notices) return;
  const title = `Nothing from the model for ${Math.round(silentMs / 1000)} s`;
  // Not as a part of the turn, where it would end the message that is being written.
  void turn.session.update({ type: 'notice', severity: 'info', title });
}

/**
 * How full the window is after an answer, and what the session has cost. Nothing is said where nobody knows how large the
 * window is: the update has no way to leave that out, and a guess would show a full one.
 */
export function showUsage(turn: Turn, usage: Usage, count: UsageCount, contextWindow: number | undefined): void {
  tellUsage(turn, { used: usage.inputTokens + usage.outputTokens, count, contextWindow });
}

export interface Shortened {
  readonly history: History;
  readonly request: Omit<ModelRequest, 'messages'>;
  readonly count: UsageCount;
  readonly contextWindow: number | undefined;
}

/** The same after a compaction: nobody has counted what is left, so it is estimated. */
export function showShortened(turn: Turn, { history, request, count, contextWindow }: Shortened): void {
  tellUsage(turn, { used: estimateTokens(history) + estimateRequestTokens(request), count, contextWindow });
}

interface UsedTokens extends Pick<Shortened, 'count' | 'contextWindow'> {
  readonly used: number;
}

function tellUsage(turn: Turn, { used, count, contextWindow }: UsedTokens): void {
  if (used === 0 || contextWindow === undefined) return;
  const cost = count.dollars > 0 && !count.isPartial ? { cost: { amount: count.dollars, currency: 'USD' } } : {};
  void turn.usage({ used, size: contextWindow, ...cost });
}
