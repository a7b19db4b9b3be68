import { describe, expect, it } from 'vitest';
import { detailsOfError } from './error-details.ts';

describe('the details of an error', () => {
  it.each([
    [{ details: 'the model said no' }, 'the model said no'],
    ['plain words ', 'plain words'],
    [{ error: { message: 'nested' } }, 'nested'],
    [{ kind: 'auth' }, undefined],
    [{ details: '' }, undefined],
    [{ details: 'Internal error' }, undefined],
    [undefined, undefined],
    [[1, 2], undefined],
  ])('of %j are %j', (data, expected) => {
    expect(detailsOfError({ message: 'Internal error', data })).toBe(expected);
  });
});
