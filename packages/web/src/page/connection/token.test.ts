import { describe, expect, it } from 'vitest';
import { readToken } from './token.ts';

describe('a pasted token', () => {
  it('is the token itself, or the link that has it', () => {
    expect(readToken(' abc-123\n')).toBe('abc-123');
    expect(readToken('http://127.0.0.1:7700/#token=a%2Bb')).toBe('a+b');
    expect(readToken('')).toBeUndefined();
    expect(readToken('two words')).toBeUndefined();
    expect(readToken('http://127.0.0.1:7700/#token=%E0%A4%A')).toBeUndefined();
  });
});
