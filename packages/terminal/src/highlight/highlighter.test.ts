import { beforeAll, describe, expect, it } from 'vitest';
import { MarkdownStream } from '../markdown/markdown-stream.ts';
import { renderBlocks } from '../markdown/render-blocks.ts';
import { type Line, textOfLine } from '../text/styled-text.ts';
import { highlight, languageOfPath, loadHighlighter } from './highlighter.ts';

const CODE = 'const a: string = "x < y & z";\n/* one\n two */ return 1;';

/** The foreground of the first span that has the text. */
function colorOf(lines: readonly Line[] | undefined, text: string): string | undefined {
  return lines?.flat().find((span) => span.text.includes(text))?.style?.foreground;
}

describe('the highlighter', () => {
  it('colours nothing until it is loaded', () => {
    expect(highlight(CODE, 'ts')).toBeUndefined();
  });

  describe('once it is loaded', () => {
    beforeAll(loadHighlighter);

    it('keeps every character, in its line', () => {
      const lines = highlight(CODE, 'ts') ?? [];
      expect(lines.map(textOfLine).join('\n')).toBe(CODE);
      expect(colorOf(lines, 'const')).toBe('35');
      expect(colorOf(lines, 'x < y')).toBe('32');
      expect(lines[2]?.[0]?.style).toMatchObject({ isItalic: true });
    });

    it('knows languages by their names in fences and by the names of files', () => {
      expect(highlight('x', 'nonsense')).toBeUndefined();
      expect(highlight('def f(): pass', 'py title="a"')).toBeDefined();
      expect(languageOfPath('/a/b.tsx')).toBe('tsx');
      expect(languageOfPath('/a/Makefile')).toBe('makefile');
      expect(languageOfPath('/a/b.unknown')).toBeUndefined();
    });

    it('goes on in a comment of a fence that comes line by line', () => {
      const stream = new MarkdownStream();
      const lines: Line[] = [];
      for (const piece of ['```ts\nlet a = 1;\n/* begins\n', 'const here\n', '*/ const there\n', '```\n']) {
        stream.push(piece);
        lines.push(...renderBlocks(stream.takeFinished(), 60));
      }
      lines.push(...renderBlocks(stream.finish(), 60));
      const isKeyword = (text: string): boolean =>
        lines.some((line) => textOfLine(line).includes(text) && colorOf([line], 'const') === '35');
      expect(isKeyword('const here')).toBe(false);
      expect(isKeyword('const there')).toBe(true);
    });

    it('colours what a diff adds and removes', () => {
      const stream = new MarkdownStream();
      stream.push('```diff\n-old\n+new\n```\n');
      const lines = renderBlocks(stream.finish(), 60);
      expect([colorOf(lines, '-old'), colorOf(lines, '+new')]).toEqual(['31', '32']);
    });
  });
});
