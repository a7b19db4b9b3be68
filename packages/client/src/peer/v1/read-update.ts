import { INVALID, keepCustomContent, sessionIdOf, takeProblem, validators } from '@parley/protocol';
import { eventFromV1, META, type SessionEvent, unstableEventFromV1 } from '@parley/session';
import type { OnInvalid } from '../protocol-version.ts';

export interface ReadUpdate {
  readonly sessionId: string;
  readonly event: SessionEvent;
  /** The number of the event, where the agent gives it one. */
  readonly cursor: number | undefined;
}

/**
 * Reads the params of `session/update`. A variant and content that v1 does not know are kept whole; anything else that does not fit
 * is told to `onInvalid` and dropped, and the session lives on.
 */
export function readUpdate(params: unknown, onInvalid: OnInvalid): ReadUpdate | undefined {
  const valid = keepCustomContent(validators.SessionNotification, params);
  if (valid !== INVALID) {
    return { sessionId: valid.sessionId, event: eventFromV1(valid.update), cursor: readCursor(valid._meta) };
  }
  const problem = takeProblem();
  const { sessionId, update, _meta } = params as {
    sessionId?: unknown;
    update?: Record<string, unknown>;
    _meta?: Record<string, unknown> | null;
  };
  if (
    problem.kind === 'variant' &&
    problem.path.join('.') === 'update.sessionUpdate' &&
    typeof sessionId === 'string'
  ) {
    const event = unstableEventFromV1(update ?? {}) ?? unknownEvent(update ?? {});
    return { sessionId, event, cursor: readCursor(_meta) };
  }
  const why = `${problem.path.join('.')}: expected ${problem.expected}, received ${problem.received}`;
  onInvalid(`session/update: ${why}`, { method: 'session/update', sessionId: sessionIdOf(params) });
  return undefined;
}

function readCursor(meta: Readonly<Record<string, unknown>> | null | undefined): number | undefined {
  const cursor = meta?.[META.cursor];
  return typeof cursor === 'number' ? cursor : undefined;
}

function unknownEvent(update: Record<string, unknown>): SessionEvent {
  return { type: 'unknown', variant: String(update.sessionUpdate), raw: update };
}
