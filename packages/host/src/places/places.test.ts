import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { cacheHome, configHome, findHome, runtimeHome, stateHome } from './places.ts';

const { HOME } = process.env;
afterEach(() => {
  if (HOME === undefined) delete process.env.HOME;
  else process.env.HOME = HOME;
});

describe('the places of this machine', () => {
  it('are those that the variables name', () => {
    const env = { XDG_CACHE_HOME: '/k', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_RUNTIME_DIR: '/r' };
    expect([cacheHome, configHome, stateHome, runtimeHome].map((find) => find(env))).toEqual(['/k', '/c', '/s', '/r']);
  });

  it.each([undefined, '', 'relative/path'])('are below the home when the variables are %j', (value) => {
    const all = { XDG_CACHE_HOME: value, XDG_CONFIG_HOME: value, XDG_STATE_HOME: value, XDG_RUNTIME_DIR: value };
    const env = { HOME: '/home/ada', ...all };
    expect(cacheHome(env)).toBe(join('/home/ada', '.cache'));
    expect(configHome(env)).toBe(join('/home/ada', '.config'));
    expect(stateHome(env)).toBe(join('/home/ada', '.local', 'state'));
    expect(runtimeHome(env)).toBeUndefined();
  });

  it.each([undefined, '', 'relative'])('know the home of the user when HOME is %j', (home) => {
    if (home === undefined) delete process.env.HOME;
    else process.env.HOME = home;
    expect(findHome({ HOME: home })).toBe(userInfo().homedir);
    expect(stateHome({ HOME: home })).toBe(join(userInfo().homedir, '.local', 'state'));
  });
});
