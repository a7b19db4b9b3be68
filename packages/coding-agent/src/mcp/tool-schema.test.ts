import { describe, expect, it } from 'vitest';
import { toolSchemaOf } from './tool-schema.ts';

const text = { type: 'string' };

describe('the schema of an MCP tool', () => {
  it.each([
    [
      'as it is',
      { type: 'object', properties: { a: text }, required: ['a'] },
      { properties: { a: text }, required: ['a'] },
    ],
    ['without properties', { type: 'object', $schema: 'https://json-schema.org' }, { properties: {} }],
    [
      'with variants',
      {
        description: 'Finds it.',
        properties: { kind: text },
        required: ['kind'],
        oneOf: [
          { properties: { id: text, deep: text }, required: ['id'] },
          { properties: { slug: text, deep: { type: 'boolean' } }, required: ['slug'] },
        ],
      },
      {
        description: 'Finds it. Give one of these sets: id; or slug.',
        properties: { kind: text, id: text, deep: { anyOf: [text, { type: 'boolean' }] }, slug: text },
        required: ['kind'],
      },
    ],
    [
      'of parts and definitions',
      {
        allOf: [{ $ref: '#/$defs/Base' }, { not: {}, properties: { b: text } }],
        $defs: { Base: { properties: { a: text }, required: ['a'] } },
      },
      {
        $defs: { Base: { properties: { a: text }, required: ['a'] } },
        properties: { a: text, b: text },
        required: ['a'],
      },
    ],
    [
      'that only refers',
      { $ref: '#/definitions/A', definitions: { A: { properties: { a: text } } } },
      { properties: { a: text }, definitions: { A: { properties: { a: text } } } },
    ],
    [
      'with lists of anything',
      { properties: { a: { type: 'array', default: { type: 'array' } }, b: { anyOf: [{ type: 'array' }, text] } } },
      {
        properties: {
          a: { type: 'array', default: { type: 'array' }, items: {} },
          b: { anyOf: [{ type: 'array', items: {} }, text] },
        },
      },
    ],
  ])('is one that every provider takes: %s', (_, given, expected) => {
    expect(toolSchemaOf(given).schema).toEqual({ type: 'object', ...expected });
  });

  it('has plain names, and gives the server its own', () => {
    const long = 'x'.repeat(80);
    const { schema, restore } = toolSchemaOf({
      properties: { 'Start<': text, Start_: text, $filter: text, [long]: text },
      required: ['Start<'],
    });
    const short = 'x'.repeat(60);
    expect(Object.keys(schema.properties as object).sort()).toEqual(['Start_', 'Start__2', '_filter', short]);
    expect(schema.required).toEqual(['Start__2']);
    expect(restore({ Start__2: 1, Start_: 2, _filter: 3, [short]: 4, other: 5 })).toEqual({
      'Start<': 1,
      Start_: 2,
      $filter: 3,
      [long]: 4,
      other: 5,
    });
  });

  it('comes to an end where a schema refers to itself', () => {
    expect(toolSchemaOf({ anyOf: [{ $ref: '#' }], properties: { a: text } }).schema.properties).toEqual({ a: text });
  });
});
