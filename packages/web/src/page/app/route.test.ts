import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute, type Route } from './route.ts';

describe('a route', () => {
  it.each<Route>([
    { name: 'home' },
    { name: 'session', agent: 'gemini', sessionId: 'sess_1' },
    { name: 'session', agent: 'a b', sessionId: '50%/ö?#' },
    { name: 'new' },
    { name: 'new', agent: 'parley', cwd: '/proj/a b' },
    { name: 'inspector', query: new URLSearchParams({ agent: 'x', filter: 'method:session/* -chunk' }) },
  ])('is read as it was written: %o', (route) => {
    const read = parseRoute(formatRoute(route));
    expect(formatRoute(read)).toBe(formatRoute(route));
    expect(read.name).toBe(route.name);
    if (route.name !== 'inspector') expect(read).toEqual(route);
  });

  it('leads home from what nobody knows, and from what cannot be decoded', () => {
    for (const text of ['', '#', '#/', '#/nowhere', '#/s/only', '#token=x']) expect(parseRoute(text).name).toBe('home');
    expect(parseRoute('#/s/a/%E0%A4%A')).toEqual({ name: 'session', agent: 'a', sessionId: '%E0%A4%A' });
  });
});
