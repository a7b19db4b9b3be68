import { describe, expect, it } from 'vitest';
import type { SessionSummary, WatchChange } from '../../api/index.ts';
import { type Api, ApiError } from './api.ts';
import { followServer, type ServerState } from './follow-server.ts';

const SESSION: SessionSummary = {
  agent: 'a',
  sessionId: 's',
  cwd: '/',
  updatedAt: 1,
  state: 'done',
  questions: [],
};

/** An API whose streams of changes are played by the test. */
function fakeApi(
  watches: readonly ((tell: (change: WatchChange) => void, signal: AbortSignal) => Promise<void>)[],
): Api {
  let at = 0;
  return {
    agents: async () => ({ agents: [], cwd: '/', principal: 'me' }),
    sessions: async () => ({ sessions: [SESSION], hasMore: false }),
    watch: (tell, signal) => watches[at++]?.(tell, signal) ?? Promise.reject(new ApiError(0, 'gone')),
  } as Partial<Api> as Api;
}

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('following the server', () => {
  it('reads the list once it is told of changes, tries again with growing pauses, and stops when it is refused', async () => {
    const states: ServerState[] = [];
    const told: string[] = [];
    const pauses: number[] = [];
    await followServer({
      api: fakeApi([
        async (tell) => {
          tell({ type: 'alive' });
          await soon();
          tell({ type: 'removed', agent: 'a', sessionId: 's' });
        },
        () => Promise.reject(new ApiError(0, 'gone')),
        () => Promise.reject(new ApiError(502, 'gone')),
        () => Promise.reject(new ApiError(401, 'no')),
      ]),
      signal: new AbortController().signal,
      onState: (state) => states.push(state),
      onStart: (_, sessions) => told.push(`start ${sessions.length}`),
      onChange: ({ type }) => told.push(type),
      onWake: () => () => {},
      pause: async (ms) => void pauses.push(ms),
    });
    expect(states).toEqual(['connected', 'lost', 'lost', 'lost', 'refused']);
    expect(told).toEqual(['start 1', 'removed']);
    expect(pauses).toEqual([500, 1000, 2000]);
  });

  it('tells what has changed while the list was on its way after the list, which may be older', async () => {
    const told: string[] = [];
    await followServer({
      api: fakeApi([
        async (tell) => {
          tell({ type: 'alive' });
          tell({ type: 'removed', agent: 'a', sessionId: 's' });
          await soon();
        },
        () => Promise.reject(new ApiError(401, 'no')),
      ]),
      signal: new AbortController().signal,
      onState: () => {},
      onStart: (_, sessions) => told.push(`start ${sessions.length}`),
      onChange: ({ type }) => told.push(type),
      onWake: () => () => {},
      pause: async () => {},
    });
    expect(told).toEqual(['start 1', 'removed']);
  });
});
