import { describe, expect, it } from 'vitest';
import { plainOutput } from './plain-output.ts';

const ESC = '\u001b';

describe('the output of a command', () => {
  it.each([
    [`${ESC}[31mred${ESC}[0m and ${ESC}[1;32mgreen${ESC}[m`, 'red and green'],
    [`${ESC}]0;title\u0007text${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\`, 'textlink'],
    [`${ESC}[2K${ESC}[1Gdone${ESC}(B`, 'done'],
    ['plain [31m text', 'plain [31m text'],
  ])('has no control sequences: %j', (raw, expected) => {
    expect(plainOutput()(raw)).toBe(expected);
    const inPieces = plainOutput();
    expect([...raw].map((character) => inPieces(character)).join('')).toBe(expected);
  });

  it('loses nothing after something that only looks like one', () => {
    const plain = plainOutput();
    expect(plain(`${ESC}[${'1'.repeat(300)}`)).toContain('111');
  });
});
