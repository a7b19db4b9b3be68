import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, textOfLine } from '../text/styled-text.ts';
import { widthOf } from '../text/wrap.ts';
import { MarkdownStream } from './markdown-stream.ts';
import { renderBlocks } from './render-blocks.ts';

function render(markdown: string, width = 60): string[] {
  const stream = new MarkdownStream();
  stream.push(markdown);
  return renderBlocks(stream.finish(), width).map(textOfLine).slice(1);
}

/** Renders while it streams, as a chat does: finished blocks once, the tail over and over. */
function renderStreaming(chunks: readonly string[], width = 60): { lines: string[]; longestTail: number; all: Line[] } {
  const stream = new MarkdownStream();
  const finished: Line[] = [];
  let longestTail = 0;
  for (const chunk of chunks) {
    stream.push(chunk);
    finished.push(...renderBlocks(stream.takeFinished(), width));
    longestTail = Math.max(longestTail, renderBlocks(stream.readTail(), width).length);
  }
  finished.push(...renderBlocks(stream.finish(), width));
  return { lines: finished.map(textOfLine).slice(1), longestTail, all: finished };
}

const DOCUMENT = `# Title

Some *emphasis* and **strength** with \`code\` and [a link](https://example.org).
A second line.

1. first
2. second with **bold**
   - nested
   - more
3. third

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`

> quoted text
> goes on

| name | value |
|------|------:|
| one | 1 |
| two | 22 |

- [ ] open
- [x] done

---
End.`;

describe('a megabyte without a blank line', () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `n${String(index).padStart(5, '0')}`);
  it.each([
    ['in lines', '', '\n'],
    ['in one line', '', ' '],
    ['in one line of code', '```\n', ' '],
    ['in lines of code', '```\n', '\n'],
    ['in items', '- ', '\n- '],
    ['in a quote', '> ', '\n> '],
  ])('%s is read piece by piece, and nothing of it is lost', (_name, start, between) => {
    const filler = 'handled_request *ok* [id] <b> ok '.repeat(1);
    const stream = new MarkdownStream();
    stream.push(start + names.map((name) => `${name} ${filler}`).join(between));
    const texts: string[] = [];
    const asked = 10_000;
    while (stream.isBehind) {
      const text = renderBlocks(stream.takeFinished(asked), 100).map(textOfLine).join('\n');
      // No more than was asked for, what was left over from before, and the indent of lines.
      expect(text.length).toBeLessThan(3 * asked);
      texts.push(text);
    }
    texts.push(renderBlocks(stream.finish(), 100).map(textOfLine).join('\n'));
    expect(texts.length).toBeGreaterThan(50);
    const found = texts
      .join('\n')
      .replaceAll(/\n */g, '')
      .match(/n\d{5}/g);
    expect(found?.length).toBe(names.length);
    expect(found).toEqual(names);
  });
});

describe('markdown', () => {
  it('becomes lines for a terminal', () => {
    expect(render(DOCUMENT)).toEqual([
      'Title',
      '',
      'Some emphasis and strength with code and a link',
      '(https://example.org).',
      'A second line.',
      '',
      '1. first',
      '2. second with bold',
      '   • nested',
      '   • more',
      '3. third',
      '',
      '  const a = 1;',
      '  ',
      '  const b = 2;',
      '',
      '│ quoted text',
      '│ goes on',
      '',
      'name │ value',
      '─────┼──────',
      'one  │     1',
      'two  │    22',
      '',
      '• [ ] open',
      '• [x] done',
      '',
      '────────────────────────────────────────',
      '',
      'End.',
    ]);
  });

  it('reads the same however it is cut into chunks', () => {
    const whole = render(DOCUMENT);
    for (const size of [1, 2, 3, 7, 50]) {
      const chunks = Array.from({ length: Math.ceil(DOCUMENT.length / size) }, (_, index) =>
        DOCUMENT.slice(index * size, (index + 1) * size),
      );
      expect(renderStreaming(chunks).lines).toEqual(whole);
    }
  });

  it('finishes a long code block line by line', () => {
    const code = Array.from({ length: 500 }, (_, index) => `line${index};\n`);
    const { lines, longestTail } = renderStreaming(['```js\n', ...code, '```\n', 'after']);
    expect(lines.filter((line) => line.includes('line'))).toHaveLength(500);
    expect(lines.slice(-3)).toEqual(['  line499;', '', 'after']);
    expect(longestTail).toBeLessThanOrEqual(2);
  });

  it('finishes a long list item by item', () => {
    const items = Array.from({ length: 300 }, (_, index) => `${index + 1}. item ${index}\n`);
    const { lines, longestTail } = renderStreaming(items);
    expect(lines).toEqual(items.map((item) => item.trim()));
    expect(longestTail).toBeLessThanOrEqual(3);
  });

  it('takes a paragraph without end apart', () => {
    const words = Array.from({ length: 2000 }, (_, index) => `word${index} `);
    const { lines, longestTail } = renderStreaming(words);
    expect(lines.join(' ').split(/\s+/).filter(Boolean)).toEqual(words.map((word) => word.trim()));
    expect(longestTail).toBeLessThan(80);
  });

  it('does not end code at signs inside of it', () => {
    expect(render('````\n```\nx\n```\n````\nafter')).toEqual(['  ```', '  x', '  ```', '', 'after']);
    expect(renderStreaming(['```\n', '``', '`', '\n', 'after\n']).lines).toEqual(['after']);
  });

  it('shows where links lead, and HTML as it was written', () => {
    expect(render('[bank](http://evil.example)')).toEqual(['bank (http://evil.example)']);
    expect(render('<http://a.example>')).toEqual(['http://a.example']);
    expect(render('a <b>x</b> &amp; &#65;')).toEqual(['a <b>x</b> & A']);
  });

  it('shows a table that is too wide row by row', () => {
    const table = '| aaaaaaa | bbbbbbb | ccccccc |\n|---|---|---|\n| 1 | 2 | 3 |';
    expect(render(table, 16)).toEqual(['aaaaaaa: 1', 'bbbbbbb: 2', 'ccccccc: 3']);
  });

  it('wraps the cells of a table', () => {
    const table = '| key | text |\n|---|---|\n| a | one two three four five |';
    expect(render(table, 20)).toEqual([
      'key │ text          ',
      '────┼───────────────',
      'a   │ one two three ',
      '    │ four five     ',
    ]);
  });

  it('is never wider than asked, and loses no letter, whatever the document', () => {
    const piece = fc.constantFrom(
      ...['# ', '- ', '1. ', '> ', '```\n', '\n', '\n\n', '| a | b |\n|---|---|\n| ', '**', '`', '    ', '\t', '<div>'],
      ...['[x](y)', '漢字', '👨‍👩‍👧‍👦', 'word ', 'x'.repeat(70), '\u001b[2J', '&lt;'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 12, max: 50 }), (chunks, width) => {
        const marked = chunks.map((chunk, index) => `${chunk}k${index}z`);
        const { all, lines } = renderStreaming(marked, width);
        for (const line of all) expect(widthOf(line)).toBeLessThanOrEqual(width);
        const text = lines.join('').replace(/[^a-z0-9]/g, '');
        for (let index = 0; index < chunks.length; index += 1) expect(text).toContain(`k${index}z`);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
