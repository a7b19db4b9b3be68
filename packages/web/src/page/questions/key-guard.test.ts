import { describe, expect, it } from 'vitest';
import { choiceOfKey, GUARD_MS } from './key-guard.ts';

const KEY = { key: '2', ctrlKey: false, metaKey: false, altKey: false, repeat: false };
const SHOWN = { shownForMs: GUARD_MS, isTyping: false, choices: 3 };

describe('a number key', () => {
  it('chooses an option of a card that is seen', () => {
    expect(choiceOfKey(KEY, SHOWN)).toBe(1);
    expect(choiceOfKey({ ...KEY, key: '4' }, SHOWN)).toBeUndefined();
    expect(choiceOfKey({ ...KEY, key: '0' }, SHOWN)).toBeUndefined();
    expect(choiceOfKey({ ...KEY, key: 'Enter' }, SHOWN)).toBeUndefined();
  });

  it('chooses nothing by accident', () => {
    expect(choiceOfKey(KEY, { ...SHOWN, shownForMs: GUARD_MS - 1 })).toBeUndefined();
    expect(choiceOfKey(KEY, { ...SHOWN, isTyping: true })).toBeUndefined();
    expect(choiceOfKey({ ...KEY, repeat: true }, SHOWN)).toBeUndefined();
    expect(choiceOfKey({ ...KEY, ctrlKey: true }, SHOWN)).toBeUndefined();
  });
});
