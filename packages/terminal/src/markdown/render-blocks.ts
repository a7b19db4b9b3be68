import type { Token, Tokens } from 'marked';
import { highlight } from '../highlight/highlighter.ts';
import { EMPTY_LINE, type Line, restyle, type Span, STYLES } from '../text/styled-text.ts';
import { wrapHard, wrapWords } from '../text/wrap.ts';
import { inlineSpans } from './inline-text.ts';
import type { Block } from './markdown-stream.ts';
import { renderTable } from './render-table.ts';

/** Blocks as lines of at most `width` columns. An empty line stands before each block that does not go on with the last. */
export function renderBlocks(blocks: readonly Block[], width: number): Line[] {
  return blocks.flatMap(({ token, isContinued, before = '' }) => {
    const lines = renderToken(token, width, before);
    return isContinued || lines.length === 0 ? lines : [EMPTY_LINE, ...lines];
  });
}

type BlockToken =
  | Tokens.Heading
  | Tokens.Paragraph
  | Tokens.Text
  | Tokens.Code
  | Tokens.List
  | Tokens.Blockquote
  | Tokens.Table
  | Tokens.Hr;

function renderToken(token: Token, width: number, before = ''): Line[] {
  const block = token as BlockToken;
  switch (block.type) {
    case 'heading':
      return wrapSpans(inlineSpans(block.tokens, STYLES.heading), width);
    case 'paragraph':
    case 'text':
      return wrapSpans(block.tokens ? inlineSpans(block.tokens) : [{ text: block.text }], width);
    case 'code':
      return renderCode(block, width, before);
    case 'list':
      return renderList(block, width);
    case 'blockquote':
      return renderQuote(block, width);
    case 'table':
      return renderTable(block, width);
    case 'hr':
      return [[{ text: '─'.repeat(Math.min(RULE_WIDTH, width)), style: STYLES.dim }]];
    default:
      return wrapSpans([{ text: token.raw.trimEnd(), style: STYLES.dim }], width);
  }
}

const RULE_WIDTH = 40;
const CODE_INDENT = '  ';

function renderCode({ text, lang = '' }: Pick<Tokens.Code, 'text' | 'lang'>, width: number, before: string): Line[] {
  const room = Math.max(1, width - CODE_INDENT.length);
  const count = text.split('\n').length;
  const lines: readonly Line[] =
    highlight(before + text, lang)?.slice(-count) ??
    text.split('\n').map((line): Line => [{ text: line, style: STYLES.codeBlock }]);
  return lines.flatMap((line) => wrapHard(line, room).map((row) => indented(CODE_INDENT, row)));
}

function renderList(list: Tokens.List, width: number): Line[] {
  const first = typeof list.start === 'number' ? list.start : 1;
  return list.items.flatMap((item, index) => {
    const mark = list.ordered ? `${first + index}. ` : '• ';
    const room = Math.max(1, width - mark.length);
    const lines = renderItem(item, room);
    const indent = ' '.repeat(mark.length);
    return lines.map((line, row) => indented(row === 0 ? mark : indent, line));
  });
}

/** What stands in an item follows without empty lines, as people write lists for a terminal. */
function renderItem(item: Tokens.ListItem, width: number): Line[] {
  const lines: Line[] = [];
  let inline: Token[] = [];
  const flush = (): void => {
    if (inline.length > 0) lines.push(...wrapSpans(inlineSpans(inline), width));
    inline = [];
  };
  for (const token of item.tokens) {
    if (token.type === 'checkbox' || token.type === 'text') inline.push(token);
    else if (token.type === 'paragraph') inline.push(...((token as Tokens.Paragraph).tokens ?? []));
    else if (token.type !== 'space') {
      flush();
      lines.push(...renderToken(token, width));
    }
    if (token.type === 'paragraph') flush();
  }
  flush();
  return lines.length === 0 ? [EMPTY_LINE] : lines;
}

function renderQuote(quote: Tokens.Blockquote, width: number): Line[] {
  const blocks = quote.tokens
    .filter(({ type }) => type !== 'space')
    .map((token, index) => ({ token, isContinued: index === 0 }));
  const bar: Span = { text: '│ ', style: STYLES.dim };
  return renderBlocks(blocks, Math.max(1, width - 2)).map((line) => [bar, ...restyle(line, STYLES.dim)]);
}

/** Wraps spans that may hold line breaks. */
function wrapSpans(spans: readonly Span[], width: number): Line[] {
  return splitLines(spans).flatMap((line) => wrapWords(line, width));
}

function splitLines(spans: readonly Span[]): Line[] {
  const lines: Span[][] = [[]];
  for (const { text, style } of spans) {
    for (const [index, piece] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ text: piece, style });
    }
  }
  return lines;
}

function indented(indent: string, line: Line): Line {
  return [{ text: indent }, ...line];
}
