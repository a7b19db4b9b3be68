import { readFields } from '@parley/session/view';
import { describe, expect, it } from 'vitest';
import { checkForm, presetOf } from './form-answers.ts';

const FIELDS = readFields({
  type: 'object',
  required: ['name', 'tags'],
  properties: {
    name: { type: 'string', minLength: 2 },
    size: { type: 'integer', minimum: 1, default: 3 },
    loud: { type: 'boolean', default: true },
    color: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1 },
  },
});

describe('the answer to a form', () => {
  it('begins with what the agent proposes', () => {
    expect(Object.fromEntries(FIELDS.map((field) => [field.name, presetOf(field)]))).toEqual({
      name: '',
      size: '3',
      loud: true,
      color: '',
      tags: [],
    });
  });

  it('has every field in its own type, and leaves out what is empty', () => {
    expect(checkForm(FIELDS, { name: 'Eve', size: '4', loud: false, color: '', tags: ['b'] })).toEqual({
      type: 'complete',
      content: { name: 'Eve', size: 4, loud: false, tags: ['b'] },
    });
  });

  it('says what is wrong, field by field', () => {
    expect(checkForm(FIELDS, { name: '', size: 'many', tags: [] })).toEqual({
      type: 'wrong',
      problems: { name: 'This is required.', size: 'This is not a number.', tags: 'Choose at least 1.' },
    });
    expect(checkForm(FIELDS, { name: 'E', size: '0', tags: ['a'] })).toMatchObject({
      problems: { name: 'This needs at least 2 characters.', size: 'This must be at least 1.' },
    });
  });
});
