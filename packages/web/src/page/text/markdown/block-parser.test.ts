import fc from 'fast-check';
import type { Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { BlockParser, readMarkdown } from './block-parser.ts';

const PIECES = [
  '# Head\n',
  '## Two',
  'para',
  'word **bold** ',
  '- item\n',
  '  - nested\n',
  '1. one\n',
  '2) two\n',
  '```ts\n',
  '```\n',
  '~~~\n',
  'const a = 1;\n',
  '> quote\n',
  '>> deep\n',
  '| a | b |\n',
  '|---|---|\n',
  '| 1 | 2 |\n',
  '---\n',
  '===\n',
  '\n',
  '\n\n',
  '    code\n',
  '<div>\n',
  '</div>\n',
  '<!-- ',
  ' -->\n',
  '[x](http://a)',
  '![i](http://b)',
  '`code`',
  ' ',
  '  \n',
  '* star\n',
  '+ plus\n',
  '- [ ] task\n',
  '&amp;',
  '\\*',
  '\t',
  'http://c.d ',
  '_em_',
  '~~del~~',
  '<b>',
  '-',
  '=',
  '#',
  '1.',
  '|',
  '>',
  '*',
  '\r\n',
];

function shapes(tokens: readonly Token[]): unknown[] {
  return tokens.filter(({ type }) => type !== 'space').map((token) => shape(token));
}

/** What a view draws of a block: all but the exact source, in which only empty lines differ. */
function shape(token: unknown): unknown {
  if (Array.isArray(token)) return token.map(shape);
  if (typeof token !== 'object' || token === null) return token;
  const { raw: _raw, ...rest } = token as Record<string, unknown>;
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, shape(value)]));
}

function readInPieces(text: string, cuts: readonly number[]): readonly Token[] {
  const parser = new BlockParser();
  let end = 0;
  for (const cut of cuts) {
    end = Math.min(text.length, end + cut);
    expect(parser.update(text.slice(0, end))).toBe(true);
    void parser.tail;
  }
  parser.update(text);
  parser.finish();
  return parser.blocks;
}

describe('Markdown that is read while it is written', () => {
  it('is the same as if it were read at once, wherever it is cut', () => {
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((pieces) => pieces.join(''));
    const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 60 });
    fc.assert(
      fc.property(text, cuts, (whole, each) => {
        expect(shapes(readInPieces(whole, each))).toEqual(shapes(readMarkdown(whole)));
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  it('keeps what is final, and reads only the rest again', () => {
    const parser = new BlockParser();
    parser.update('# Title\n\nFirst paragraph.\n\nSecond');
    const [title] = parser.blocks;
    expect(parser.blocks.map(({ type }) => type)).toEqual(['heading', 'space']);
    expect(parser.tail.map(({ type }) => type)).toEqual(['paragraph', 'space', 'paragraph']);
    parser.update('# Title\n\nFirst paragraph.\n\nSecond one.\n\n- a\n');
    expect(parser.blocks[0]).toBe(title);
    expect(parser.blocks.filter(({ type }) => type === 'paragraph')).toHaveLength(2);
  });

  it('finds the definition of a link that comes after it', () => {
    const text = 'See [the page][1].\n\nMore.\n\n[1]: https://example.org\n';
    const [paragraph] = readInPieces(text, [20, 5, 5]);
    expect(JSON.stringify(paragraph)).toContain('"href":"https://example.org"');
  });

  it('does not show a paragraph as a heading while the line below it is being written', () => {
    const parser = new BlockParser();
    parser.update('Some words\n-');
    expect(parser.tail.map(({ type }) => type)).toEqual(['paragraph']);
    parser.update('Some words\n- an item');
    expect(parser.tail.map(({ type }) => type)).toEqual(['paragraph', 'list']);
  });

  it('tells when the text is another one than before', () => {
    const parser = new BlockParser();
    parser.update('abc');
    expect(parser.update('abX and more')).toBe(false);
    expect(parser.update('ab')).toBe(false);
  });

  it('survives nesting without end, and a block of megabytes', () => {
    expect(readMarkdown('>'.repeat(20_000)).length).toBeGreaterThan(0);
    const parser = new BlockParser();
    const fence = `\`\`\`\n${'line\n'.repeat(100_000)}`;
    for (let end = 1000; end < fence.length; end += 50_000) parser.update(fence.slice(0, end));
    expect(parser.tail).toHaveLength(1);
  });
});
