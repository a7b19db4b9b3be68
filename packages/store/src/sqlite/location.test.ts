import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultStorePath } from './location.ts';

it('keeps sessions in the XDG state folder', () => {
  expect(defaultStorePath({ XDG_STATE_HOME: '/state' })).toBe(join('/state', 'parley', 'sessions.db'));
});

it.each([undefined, '', 'relative/path'])('keeps them under ~/.local/state when XDG_STATE_HOME is %j', (state) => {
  const expected = join(homedir(), '.local', 'state', 'parley', 'sessions.db');
  expect(defaultStorePath({ XDG_STATE_HOME: state })).toBe(expected);
});
