import { describe, expect, it } from 'vitest';
import { readPartialFields } from './partial-fields.ts';

describe('the fields of arguments that are still being written', () => {
  it.each([
    ['', {}],
    ['{"pa', {}],
    ['{"path": "src/a', {}],
    ['{"path": "src/a.ts"', { path: 'src/a.ts' }],
    ['{"path":"a \\"b\\" \\u00e9","content":"x', { path: 'a "b" é' }],
    ['{"limit": 12', {}],
    ['{"limit": 12, "path": "a', { limit: 12 }],
    ['{"edits": [{"old', {}],
    ['[1', {}],
    ['{"a": "\\x"', {}],
  ])('are those that are whole: %s', (json, fields) => {
    expect(readPartialFields(json)).toEqual({ fields, isWhole: false });
  });

  it('end with the object', () => {
    expect(readPartialFields('{"a": "b", "c": true}')).toEqual({ fields: { a: 'b', c: true }, isWhole: true });
  });
});
