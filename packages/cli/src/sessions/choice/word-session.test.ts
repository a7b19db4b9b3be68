import { describe, expect, it } from 'vitest';
import { shortIds, wordAge, wordSession } from './word-session.ts';

describe('words for a session', () => {
  it('have ids that are short and still differ', () => {
    const ids = ['sess_aaaa-1111-2222', 'sess_aaaa-1111-3333', '061dcf763b'].map((id) => ({ id }));
    const short = shortIds(ids);
    expect(ids.map(({ id }) => short(id))).toEqual(['sess_aaaa-1111-222', 'sess_aaaa-1111-333', '061dcf763b']);
    expect(shortIds([{ id: 'sess_256db46e-7dde-4380' }])('sess_256db46e-7dde-4380')).toBe('sess_256db');
  });

  it('say how long ago, as people do', () => {
    const now = Date.parse('2026-11-17T12:00:00Z');
    const ages = [0, 59, 60, 3599, 3600, 86_400, 5 * 86_400, 60 * 86_400].map((s) => wordAge(now - s * 1000, now));
    expect(ages).toEqual([
      ...['just now', 'just now', '1 min ago', '59 min ago', '1 h ago', '1 day ago', '5 days ago', '2026-09-18'],
    ]);
    expect(wordAge(now + 5000, now)).toBe('just now');
  });

  it('have a name, a title, both or neither', () => {
    expect(wordSession({ name: 'nightly', title: 'Fix\nit' })).toBe('nightly: Fix it');
    expect(wordSession({ title: null })).toBe('(no title)');
  });
});
