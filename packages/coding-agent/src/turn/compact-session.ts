import type { Turn } from '@parley/agent';
import type { ModelOffer } from '@parley/models/discovery';
import type { History, Model, ModelRequest } from '@parley/models/model';
import { compactHistory, estimateTokens } from '../loop/compact.ts';
import type { CodingSession } from '../session/coding-session.ts';
import { tokensOf } from '../session/usage-count.ts';
import { notifyPerson } from './notify-person.ts';
import { showShortened } from './show-model-event.ts';

export interface CompactSessionOptions {
  readonly turn: Turn;
  readonly coding: CodingSession;
  readonly model: Model;
  readonly offer: ModelOffer;
  readonly history: History;
  readonly request: Omit<ModelRequest, 'messages'>;
  /** Nobody asked for it: it happens in the middle of a turn, to make room. */
  readonly isRunning: boolean;
}

/** What came of it, in words that are so: a failure leaves the history as it is, and says why. */
export interface CompactSessionResult {
  readonly history: History;
  /** One sentence; undefined when the history is shorter now. */
  readonly because?: string;
}

/** Shortens the model's history, and tells the person that it happens. */
export async function compactSession(options: CompactSessionOptions): Promise<CompactSessionResult> {
  const { turn, coding, model, offer, history, request, isRunning } = options;
  const contextWindow = model.contextWindow ?? offer.contextWindow;
  // A client that has no word for it is told in ours.
  const isTold = isRunning && !turn.client.offers.compaction;
  if (isTold) void notifyPerson(turn, { title: 'The conversation is shortened to a summary, to make room' });
  const compaction = turn.compaction();
  try {
    const { wasRefused } = coding;
    const compacted = await compactHistory({ model, history, request, signal: turn.signal, wasRefused, isRunning });
    coding.usage.add(compacted.usage, offer.price);
    turn.addTokens(tokensOf(compacted.usage));
    if (compacted.summary === '') {
      return fail('The model wrote no summary.');
    }
    if (estimateTokens(compacted.history) >= estimateTokens(history)) {
      return fail('A summary would not be shorter.');
    }
    compaction.complete(compacted.summary);
    coding.restartFrom(compacted.history);
    showShortened(turn, { history: compacted.history, request, count: coding.usage, contextWindow });
    return { history: compacted.history };
  } catch (error) {
    if (turn.signal.aborted) compaction.cancel();
    turn.signal.throwIfAborted();
    return fail(error instanceof Error ? error.message : String(error));
  }

  function fail(because: string): CompactSessionResult {
    compaction.fail(because);
    if (isTold) void notifyPerson(turn, { title: 'The conversation could not be shortened', description: because });
    return { history, because };
  }
}
