import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { LineReader } from './line-reader.ts';

test('returns the lines that were waiting when the input ended, and leaves the ended input alone', async () => {
  const input = new PassThrough();
  const reader = new LineReader(input);
  input.end('first\nsecond\nwithout a line end');
  await once(input, 'end');

  expect(await reader.next()).toBe('first');
  // A closed readline interface throws on resume (since Node 24); older ones start the stream again.
  expect(input.isPaused()).toBe(true);
  expect(await reader.next()).toBe('second');
  expect(await reader.next()).toBe('without a line end');
  expect(await reader.next()).toBeUndefined();
});

test('stops reading while a thousand lines wait, and goes on when one is taken', async () => {
  const input = new PassThrough();
  const reader = new LineReader(input);
  const paused = once(input, 'pause');
  input.write('line\n'.repeat(1000));
  await paused;

  expect(await reader.next()).toBe('line');
  expect(input.isPaused()).toBe(false);
  reader.close();
});
