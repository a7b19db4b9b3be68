import { describe, expect, it } from 'vitest';
import { closest } from './closest.ts';

describe('what a person may have meant', () => {
  const commands = ['exec', 'prompt', 'sessions', 'status', 'set', 'inspect'];
  it.each([
    ['exce', ['exec']],
    ['promt', ['prompt']],
    ['sess', ['sessions']],
    ['xyz', []],
    ['', []],
  ])('is found for %s', (word, expected) => {
    expect(closest(word, commands)).toEqual(expected);
  });

  it('is nothing for a text that is no word', () => {
    expect(closest('x'.repeat(10_000), commands)).toEqual([]);
  });
});
