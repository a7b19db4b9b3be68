import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { defaultStorePath } from './location.ts';

const { HOME } = process.env;
afterEach(() => {
  if (HOME === undefined) delete process.env.HOME;
  else process.env.HOME = HOME;
});

it('keeps sessions in the XDG state folder', () => {
  expect(defaultStorePath({ XDG_STATE_HOME: '/state' })).toBe(join('/state', 'parley', 'sessions.db'));
});

it.each([undefined, '', 'relative/path'])('keeps them under ~/.local/state when XDG_STATE_HOME is %j', (state) => {
  const expected = join(homedir(), '.local', 'state', 'parley', 'sessions.db');
  expect(defaultStorePath({ XDG_STATE_HOME: state })).toBe(expected);
});

it.each(['', 'relative', undefined])(
  'finds the home of the user when HOME is %j, and never uses the current folder',
  (home) => {
    if (home === undefined) delete process.env.HOME;
    else process.env.HOME = home;
    const expected = join(userInfo().homedir, '.local', 'state', 'parley', 'sessions.db');
    expect(defaultStorePath({})).toBe(expected);
  },
);
