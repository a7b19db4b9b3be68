import { customBlock } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { wordContent } from './entry-view.ts';

describe('content of a type that the command does not know', () => {
  it('is named in its place', () => {
    expect(wordContent(customBlock({ type: '_chart', points: [1] }))).toBe('[content of type _chart]');
  });
});
