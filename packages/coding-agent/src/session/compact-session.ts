import type { Turn } from '@parley/agent';
import { compactHistory, estimateTokens } from '../loop/compact.ts';
import { costOf } from '../models/cost.ts';
import type { History } from '../models/history.ts';
import type { Model, ModelRequest } from '../models/model.ts';
import type { ModelOffer } from '../models/offer.ts';
import type { CodingSession } from './coding-session.ts';

export interface CompactSessionOptions {
  readonly turn: Turn;
  readonly coding: CodingSession;
  readonly model: Model;
  readonly offer: ModelOffer;
  readonly history: History;
  readonly request: Omit<ModelRequest, 'messages'>;
}

/** Shortens the model's history, and tells the person that it happens. A failure leaves the history as it is. */
export async function compactSession(options: CompactSessionOptions): Promise<History> {
  const { turn, coding, model, offer, history, request } = options;
  const compaction = turn.compaction();
  try {
    const compacted = await compactHistory({ model, history, request, signal: turn.signal });
    coding.usage.add(compacted.usage, costOf(compacted.usage, offer.price));
    if (compacted.summary === '') {
      compaction.fail('The model wrote no summary.');
      return history;
    }
    if (estimateTokens(compacted.history) >= estimateTokens(history)) {
      compaction.fail('The summary would not be shorter.');
      return history;
    }
    compaction.complete(compacted.summary);
    coding.replaceHistory(compacted.history);
    return compacted.history;
  } catch (error) {
    if (turn.signal.aborted) compaction.cancel();
    else compaction.fail(error instanceof Error ? error.message : String(error));
    turn.signal.throwIfAborted();
    return history;
  }
}
