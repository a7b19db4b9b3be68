import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cloneJson } from './clone-json.ts';

describe('cloneJson', () => {
  it('does what a trip through JSON text does, to any value', () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        expect(outcome(() => cloneJson(value))).toStrictEqual(outcome(() => viaText(value)));
      }),
      { seed: 1, numRuns: 2000 },
    );
  });

  it.each([
    ['a toJSON method', { a: { toJSON: (key: string) => `said by ${key}` }, b: [{ toJSON: (key: string) => key }] }],
    ['an object with a prototype of its own', { a: Object.assign(Object.create({ inherited: 1 }), { own: 2 }) }],
    ['members without JSON form', { a: undefined, b: () => 1, c: Symbol('c'), d: [undefined, () => 1] }],
    ['numbers without JSON form', [-0, Number.NaN, Number.POSITIVE_INFINITY]],
    ['an error', { error: new Error('quiet') }],
    ['a __proto__ field', JSON.parse('{"__proto__":{"polluted":true},"b":{"__proto__":1}}')],
  ])('copies %s as JSON would', (_, value) => {
    expect(cloneJson(value)).toStrictEqual(viaText(value));
    expect(JSON.stringify(cloneJson(value))).toBe(JSON.stringify(value));
  });

  it('throws on a value that holds itself', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(() => cloneJson(cycle)).toThrow();
  });
});

function viaText(value: unknown): unknown {
  const json = JSON.stringify(value);
  return json === undefined ? undefined : JSON.parse(json);
}

function outcome(run: () => unknown): unknown {
  try {
    return { value: run() };
  } catch {
    return 'threw';
  }
}
