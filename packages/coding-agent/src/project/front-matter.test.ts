import { describe, expect, it } from 'vitest';
import { readFrontMatter } from './front-matter.ts';

describe('front matter', () => {
  it.each([
    ['no head', {}, 'no head'],
    ['---\nname: a\n---\nbody\n', { name: 'a' }, 'body\n'],
    ['---\r\ndescription: "in: quotes"\r\n---\r\nbody', { description: 'in: quotes' }, 'body'],
    [
      '---\ndescription: >\n  two\n  lines\nargument-hint: x\n---\n',
      { description: 'two lines', 'argument-hint': 'x' },
      '',
    ],
    ['---\nlist:\n  - a\nname: b\n---', { list: '- a', name: 'b' }, ''],
    ['---\nnever closed', {}, '---\nnever closed'],
  ])('is read from %j', (text, facts, body) => {
    expect(readFrontMatter(text)).toEqual({ facts, body });
  });
});
