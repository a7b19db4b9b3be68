import type { ListInput } from '../backend/operations.ts';
import { StoreError } from '../contract/errors.ts';
import { DEFAULT_LIST_LIMIT, MAX_LIST_LIMIT } from '../contract/limits.ts';
import { requireName } from '../contract/require.ts';
import type { SessionPage, SessionQuery } from '../contract/session-record.ts';
import type { LogContext } from './log-context.ts';

/** One page of sessions. The cursor names the last one seen, so that pages stay right while sessions come and go. */
export async function listSessions(
  { backend, limits, toRecord }: Pick<LogContext, 'backend' | 'limits' | 'toRecord'>,
  principal: string,
  query: SessionQuery,
): Promise<SessionPage> {
  const { cwd, archived = 'exclude', cursor, limit = DEFAULT_LIST_LIMIT } = query;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LIST_LIMIT) {
    throw new StoreError('invalid_input', `A page holds 1 to ${MAX_LIST_LIMIT} sessions, not ${limit}.`);
  }
  const { sessions, hasMore } = await backend.call('list', {
    principal,
    cwd: cwd === undefined ? null : requireName('The cwd of a session', cwd),
    archived,
    before: cursor === undefined ? null : parseCursor(cursor),
    limit,
    maxBytes: limits.maxListBytes,
  });
  const last = sessions.at(-1);
  const nextCursor = hasMore && last ? `${last.updatedAtMs.toString(36)}-${last.num.toString(36)}` : null;
  return { sessions: sessions.map(toRecord), nextCursor };
}

function parseCursor(cursor: string): ListInput['before'] {
  const [, updatedAtMs, num] = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})$/.exec(cursor) ?? [];
  if (updatedAtMs === undefined || num === undefined) {
    throw new StoreError('invalid_cursor', 'This is not a cursor of the session list; start again without one.');
  }
  return { updatedAtMs: Number.parseInt(updatedAtMs, 36), num: Number.parseInt(num, 36) };
}
