import { describe, expect, it } from 'vitest';
import { createHistory, newer, older, remember, searchHistory } from './history.ts';

describe('the history', () => {
  const history = remember(remember(remember(createHistory(), 'one'), 'two'), 'two');

  it('goes back and forth, and returns to what was being written', () => {
    const two = older(history, 'draft');
    expect(two?.text).toBe('two');
    const one = two && older(two.history, two.text);
    expect(one?.text).toBe('one');
    expect(one && older(one.history, one.text)).toBeUndefined();
    const forth = one && newer(one.history);
    expect(forth?.text).toBe('two');
    expect(forth && newer(forth.history)?.text).toBe('draft');
  });

  it('remembers the same thing once, and nothing empty', () => {
    expect(remember(history, '  ').entries).toEqual(['one', 'two']);
  });

  it('finds what contains the words, newest first', () => {
    expect(searchHistory(history, 'o', 2)).toBe(1);
    expect(searchHistory(history, 'o', 1)).toBe(0);
    expect(searchHistory(history, 'x', 2)).toBeUndefined();
  });
});
