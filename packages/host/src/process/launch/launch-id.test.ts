import { describe, expect, it } from 'vitest';
import { isLaunchedByParent } from './launch-id.ts';

describe('a process that was launched', () => {
  it.each([
    [{ PARLEY_LAUNCH_ID: `${process.ppid}.123` }, true],
    [{ PARLEY_LAUNCH_ID: `1.5 ${process.ppid}.123` }, true],
    [{ PARLEY_LAUNCH_ID: `${process.ppid}.123 1.5` }, false],
    [{ PARLEY_LAUNCH_ID: '' }, false],
    [{}, false],
  ])('knows by %j whether its parent did so', (env, expected) => {
    expect(isLaunchedByParent(env)).toBe(expected);
  });
});
