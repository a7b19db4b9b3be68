import { describe, expect, it } from 'vitest';
import type { SessionSummary } from '../../api/index.ts';
import { applyChange, countQuestions, filterSessions, formatWhen, nameOf, shortFolder } from './session-list.ts';

const session = (sessionId: string, fields: Partial<SessionSummary> = {}): SessionSummary => ({
  agent: 'parley',
  sessionId,
  cwd: '/home/me/repo',
  updatedAt: 1,
  state: 'done',
  questions: [],
  ...fields,
});

describe('the list of sessions', () => {
  it('takes changes in: new ones, those that are otherwise, those that are gone, and those of another agent', () => {
    let list = applyChange([], { type: 'session', session: session('a') });
    list = applyChange(list, { type: 'session', session: session('b', { updatedAt: 2 }) });
    list = applyChange(list, { type: 'session', session: session('a', { agent: 'other', updatedAt: 3 }) });
    list = applyChange(list, { type: 'session', session: session('a', { updatedAt: 4, state: 'running' }) });
    expect(list.map(({ agent, sessionId, state }) => `${agent}/${sessionId} ${state}`)).toEqual([
      'parley/a running',
      'other/a done',
      'parley/b done',
    ]);
    expect(applyChange(list, { type: 'alive' })).toBe(list);
    expect(applyChange(list, { type: 'removed', agent: 'parley', sessionId: 'none' })).toBe(list);
    expect(applyChange(list, { type: 'removed', agent: 'parley', sessionId: 'a' })).toHaveLength(2);
  });

  it('is filtered by words of title, folder, agent and state, and has those that wait first', () => {
    const question = { questionId: 'q', type: 'permission', toolCall: { toolCallId: 't' }, options: [] } as const;
    const list = [
      session('a', { title: 'Fix the retry test', updatedAt: 3 }),
      session('b', { title: 'Docs', cwd: '/srv/api', agent: 'gemini', updatedAt: 2 }),
      session('c', { title: 'Retry again', state: 'waiting', questions: [question] }),
    ];
    const names = (filter: string) => filterSessions(list, filter).map(({ sessionId }) => sessionId);
    expect(names('')).toEqual(['c', 'a', 'b']);
    expect(names('RETRY')).toEqual(['c', 'a']);
    expect(names('retry fix')).toEqual(['a']);
    expect(names('api gemini')).toEqual(['b']);
    expect(names('waiting')).toEqual(['c']);
    expect(names('nothing')).toEqual([]);
    expect(countQuestions(list)).toBe(1);
  });

  it('names sessions, folders and times shortly', () => {
    expect(nameOf(session('a', { title: '  ' }))).toBe('New session');
    expect(shortFolder('/home/me/code/repo')).toBe('…/code/repo');
    expect(shortFolder('/srv')).toBe('/srv');
    const noon = new Date(2026, 10, 17, 12, 5).getTime();
    expect(formatWhen(noon, noon + 1000)).toMatch(/12.05/);
    expect(formatWhen(noon, noon + 48 * 3600_000)).not.toMatch(/12.05/);
  });
});
