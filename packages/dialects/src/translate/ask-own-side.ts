import type { Message, RequestId, Response } from '@parley/jsonrpc';
import type { Outcome } from './outcome.ts';
import { DIALECT_LIMITS, type DialectState, remember } from './state.ts';

/**
 * Puts a question to our own side that the peer did not ask, because its dialect wants two answers in one. The answer
 * goes to `then` and not to the peer.
 */
export function askOwnSide(
  state: DialectState,
  request: { readonly method: string; readonly params: unknown },
  then: (response: Response) => Outcome,
): Message {
  const id: RequestId = `own-${crypto.randomUUID()}`;
  remember(state.ownRequests, id, then, DIALECT_LIMITS.maxPendingRequests);
  return { jsonrpc: '2.0', id, ...request };
}
