import { describe, expect, it } from 'vitest';
import { IdIndex } from './id-index.ts';

const COUNT = 30_000;

describe('an index of ids', () => {
  it.each([
    ['counted', (number: number) => `case-${number}`],
    ['of equal length', (number: number) => String(number).padStart(9, '0')],
    ['of two characters', (number: number) => number.toString(2)],
  ])('tells ids apart that look alike, and knows the line of each: those that are %s', (_, idOf) => {
    const ids = new IdIndex();
    const mistaken: number[] = [];
    for (let line = 1; line <= COUNT; line++) if (ids.add(idOf(line), line) !== undefined) mistaken.push(line);
    expect(mistaken).toEqual([]);
    expect(ids.size).toBe(COUNT);
    expect([1, 777, COUNT].map((line) => ids.add(idOf(line), COUNT + 1))).toEqual([1, 777, COUNT]);
    expect([1, COUNT, COUNT + 1].map((number) => ids.has(idOf(number)))).toEqual([true, true, false]);
  });
});
