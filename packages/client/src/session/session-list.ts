import type { SessionInfo } from '@parley/protocol';
import type { SessionFilter, SessionPage } from '../peer/agent-peer.ts';

/** The agent's sessions: page by page with `page`, or all of them with `for await`. */
export interface SessionList extends AsyncIterable<SessionInfo> {
  /** One page; the first without a cursor. */
  page(cursor?: string): Promise<SessionPage>;
}

/** An agent that gives the same cursor for ever must not be asked for ever. */
const MAX_PAGES = 10_000;

export function createSessionList(
  filter: Omit<SessionFilter, 'cursor'>,
  fetchPage: (filter: SessionFilter) => Promise<SessionPage>,
): SessionList {
  const page = (cursor?: string): Promise<SessionPage> =>
    fetchPage(cursor === undefined ? filter : { ...filter, cursor });
  return {
    page,
    async *[Symbol.asyncIterator]() {
      let cursor: string | undefined;
      for (let count = 0; count < MAX_PAGES; count += 1) {
        const { sessions, nextCursor } = await page(cursor);
        yield* sessions;
        if (nextCursor === undefined || nextCursor === cursor) return;
        cursor = nextCursor;
      }
    },
  };
}
