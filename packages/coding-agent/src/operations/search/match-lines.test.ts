import { Script } from 'node:vm';
import { afterEach, expect, it, vi } from 'vitest';
import { createLineMatcher } from './match-lines.ts';

const match = createLineMatcher({ pattern: '(a+)+b', isRegex: true, isCaseSensitive: true, isMultiline: false });

afterEach(() => void vi.restoreAllMocks());

it('finds a line though the process got no core for a while', async () => {
  const timeout = Object.assign(new Error('timed out'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
  const runInContext = vi.spyOn(Script.prototype, 'runInContext');
  for (let slice = 0; slice < 5; slice += 1) {
    runInContext.mockImplementationOnce(() => {
      throw timeout;
    });
  }
  expect(await match('aab\nc')).toEqual({ lines: [{ line: 1, text: 'aab' }], slow: [] });
});

it('leaves out a line for which the expression takes too long', async () => {
  const text = `aab\n${'a'.repeat(100)}c\nab`;
  expect(await match(text)).toEqual({
    lines: [
      { line: 1, text: 'aab' },
      { line: 3, text: 'ab' },
    ],
    slow: [2],
  });
});
