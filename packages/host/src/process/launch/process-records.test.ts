import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { stateHome } from '../../places/places.ts';
import { defaultRecordsDir } from './process-records.ts';

const { XDG_STATE_HOME } = process.env;
afterEach(() => {
  if (XDG_STATE_HOME === undefined) delete process.env.XDG_STATE_HOME;
  else process.env.XDG_STATE_HOME = XDG_STATE_HOME;
});

it('are kept in the XDG state folder, and a relative one is ignored', () => {
  process.env.XDG_STATE_HOME = '/state';
  expect(defaultRecordsDir()).toBe(join('/state', 'parley', 'processes'));
  process.env.XDG_STATE_HOME = 'relative';
  expect(defaultRecordsDir()).toBe(join(stateHome({}), 'parley', 'processes'));
});
