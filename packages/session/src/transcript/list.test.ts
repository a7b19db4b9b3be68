import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyIndex } from './key-index.ts';
import { List } from './list.ts';

const run = { seed: 5, numRuns: 200 };
type Change = { readonly push: number } | { readonly set: number; readonly to: number };
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ push: fc.nat() }) },
  fc.record({ set: fc.nat(), to: fc.nat() }),
);

describe('a list', () => {
  it('does what an array does, and every older version stays as it was', () => {
    const property = fc.property(fc.array(change, { maxLength: 300 }), fc.nat(2500), (changes, filled) => {
      let array = Array.from({ length: filled }, (_, index) => index);
      let list = List.from(array);
      const versions: [List<number>, number[]][] = [];
      for (const each of changes) {
        versions.push([list, array]);
        if ('push' in each) {
          array = [...array, each.push];
          list = list.push(each.push);
        } else if (array.length > 0) {
          array = array.with(each.set % array.length, each.to);
          list = list.set(each.set % array.length, each.to);
        }
      }
      for (const [version, expected] of [...versions.slice(-5), [list, array] as const]) {
        expect(version.toArray()).toEqual(expected);
        expect(version.length).toBe(expected.length);
        expect(version.at(-1)).toBe(expected.at(-1));
        const place = Math.floor(expected.length / 2);
        expect(version.at(place)).toBe(expected[place]);
        expect([...version.from(place)]).toEqual(expected.slice(place));
      }
    });
    fc.assert(property, run);
  });

  it('holds 100,000 items at the right places', () => {
    let list = List.empty<number>();
    for (let index = 0; index < 100_000; index += 1) list = list.push(index);
    for (let index = 0; index < 100_000; index += 997) list = list.set(index, -index);
    for (let index = 0; index < 100_000; index += 331) expect(list.at(index)).toBe(index % 997 === 0 ? -index : index);
    expect(list.at(100_000)).toBeUndefined();
    expect(list.at(-100_001)).toBeUndefined();
    expect(() => list.set(100_000, 1)).toThrow(RangeError);
    expect(JSON.stringify(List.from(['a']))).toBe('["a"]');
  });
});

describe('a key index', () => {
  it('shows each version its own keys, also after a branch', () => {
    const base = KeyIndex.create().add('a', 0);
    const left = base.add('b', 1);
    const right = base.add('c', 1).add('b', 2);
    expect([base.get('a'), base.get('b'), base.get('c')]).toEqual([0, undefined, undefined]);
    expect([left.get('a'), left.get('b'), left.get('c')]).toEqual([0, 1, undefined]);
    expect([right.get('a'), right.get('b'), right.get('c')]).toEqual([0, 2, 1]);
  });
});
