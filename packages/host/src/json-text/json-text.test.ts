import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonTextError, readJsonText } from './json-text.ts';

describe('a JSON text', () => {
  it('tells where each value stands, and the nearest for what is not there', () => {
    const { positionOf } = readJsonText('{\n  "a": { "b": [1,\n    {"c": 2}] }\n}');
    expect(positionOf('')).toEqual({ line: 1, column: 1 });
    expect(positionOf('a')).toEqual({ line: 2, column: 3 });
    expect(positionOf('a.b[1]')).toEqual({ line: 3, column: 5 });
    expect(positionOf('a.b[1].c')).toEqual({ line: 3, column: 6 });
    expect(positionOf('a.b[1].missing')).toEqual({ line: 3, column: 5 });
    expect(positionOf('a.b[7].x.y')).toEqual({ line: 2, column: 10 });
    expect(positionOf('nothing')).toEqual({ line: 1, column: 1 });
  });

  it.each([
    ['', 1, 1, 'the file ends'],
    ['{"a": 1,}', 1, 9, 'a name in double quotes'],
    ['{"a" 1}', 1, 6, 'expected ":"'],
    ['[1 2]', 1, 4, 'expected "," or "]"'],
    ['{"a": 1\n "b": 2}', 2, 2, 'expected "," or "}"'],
    ['{"a": \'x\'}', 1, 7, 'expected a value'],
    ['"a', 1, 1, 'not closed'],
    ['1 2', 1, 3, 'the end of the file'],
    ['['.repeat(500), 1, 202, 'nested deeper'],
  ])('says of %s where it is wrong', (text, line, column, problem) => {
    try {
      readJsonText(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(JsonTextError);
      expect(error).toMatchObject({ position: { line, column }, message: expect.stringContaining(problem) });
    }
  });

  it('is read with comments and trailing commas where these are allowed', () => {
    const text = `\ufeff{
      // a comment, with "quotes"
      "a": "// not a comment", /* nor, this */ "b": [1, 2, ], // trailing
      "c": "\\"/*x*/", "d": { "e": ",}", },
    }`;
    const { value, positionOf } = readJsonText(text, { allowsComments: true });
    expect(value).toEqual({ a: '// not a comment', b: [1, 2], c: '"/*x*/', d: { e: ',}' } });
    expect(positionOf('b[1]')).toEqual({ line: 3, column: 57 });
    expect(() => readJsonText(text)).toThrow(JsonTextError);
    expect(() => readJsonText('{ /* "a": 1 }', { allowsComments: true })).toThrow('a comment is not closed');
  });

  it('keeps a property that is named like the prototype', () => {
    const { value } = readJsonText('{ "__proto__": { "isAdmin": true } } // odd', { allowsComments: true });
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect((value as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  });

  it('takes whatever JSON.parse takes, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.json().map((text) => text.slice(0, -1)),
        ),
        (text) => {
          const theirs = attempt(() => JSON.parse(text));
          expect(attempt(() => readJsonText(text).value)).toEqual(theirs);
        },
      ),
    );
  });
});

function attempt(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch {
    return 'refused';
  }
}
