import { INVALID, keepCustomContent, sessionIdOf, takeProblem, validators } from '@parley/protocol';
import { eventFromV1, type SessionEvent, unstableEventFromV1 } from '@parley/session';
import type { OnInvalid } from '../protocol-version.ts';

export interface ReadUpdate {
  readonly sessionId: string;
  readonly event: SessionEvent;
}

/**
 * Reads the params of `session/update`. A variant and content that v1 does not know are kept whole; anything else that does not fit
 * is told to `onInvalid` and dropped, and the session lives on.
 */
export function readUpdate(params: unknown, onInvalid: OnInvalid): ReadUpdate | undefined {
  const valid = keepCustomContent(validators.SessionNotification, params);
  if (valid !== INVALID) return { sessionId: valid.sessionId, event: eventFromV1(valid.update) };
  const problem = takeProblem();
  const { sessionId, update } = params as { sessionId?: unknown; update?: Record<string, unknown> };
  if (
    problem.kind === 'variant' &&
    problem.path.join('.') === 'update.sessionUpdate' &&
    typeof sessionId === 'string'
  ) {
    return { sessionId, event: unstableEventFromV1(update ?? {}) ?? unknownEvent(update ?? {}) };
  }
  const why = `${problem.path.join('.')}: expected ${problem.expected}, received ${problem.received}`;
  onInvalid(`session/update: ${why}`, { method: 'session/update', sessionId: sessionIdOf(params) });
  return undefined;
}

function unknownEvent(update: Record<string, unknown>): SessionEvent {
  return { type: 'unknown', variant: String(update.sessionUpdate), raw: update };
}
