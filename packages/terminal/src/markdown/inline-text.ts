import type { Token, Tokens } from 'marked';
import { addStyle, type Span, STYLES, type Style } from '../text/styled-text.ts';

/** The inline parts of a block as spans. A line break in the text is a line break in a span. */
export function inlineSpans(tokens: readonly Token[] | undefined, style?: Style): Span[] {
  return (tokens ?? []).flatMap((token) => spansOf(token as InlineToken, style));
}

/** Text in which the entities of HTML are the characters they stand for. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => entity(name) ?? whole);
}

type InlineToken =
  | Tokens.Text
  | Tokens.Escape
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Codespan
  | Tokens.Del
  | Tokens.Link
  | Tokens.Image
  | Tokens.Br
  | Tokens.Tag
  | Tokens.HTML
  | Tokens.Checkbox;

function spansOf(token: InlineToken, style: Style | undefined): Span[] {
  switch (token.type) {
    case 'text':
    case 'escape':
      if ('tokens' in token && token.tokens) return inlineSpans(token.tokens, style);
      return [{ text: decodeEntities(token.text), style }];
    case 'strong':
      return inlineSpans(token.tokens, addStyle(style, STYLES.bold));
    case 'em':
      return inlineSpans(token.tokens, addStyle(style, STYLES.italic));
    case 'del':
      return inlineSpans(token.tokens, addStyle(style, STYLES.struck));
    case 'codespan':
      return [{ text: decodeEntities(token.text), style: addStyle(style, STYLES.code) }];
    case 'br':
      return [{ text: '\n', style }];
    case 'link':
      return linkSpans(token, style);
    case 'image':
      return [{ text: `[image: ${token.text || 'without description'}] (${token.href})`, style }];
    case 'checkbox':
      return [{ text: token.checked ? '[x] ' : '[ ] ', style }];
    default:
      // HTML is shown as it was written; a terminal has no use for it.
      return [{ text: /^<br\s*\/?>$/i.test(token.raw) ? '\n' : token.raw, style }];
  }
}

/** The address is always shown: a text that hides where it leads is how people are tricked. */
function linkSpans(token: Tokens.Link, style: Style | undefined): Span[] {
  const link = addStyle(style, STYLES.link);
  const label = inlineSpans(token.tokens, link);
  const text = label.map((span) => span.text).join('');
  if (token.href === text || token.href === `mailto:${text}`) return label;
  return [...label, { text: ` (${token.href})`, style: addStyle(style, STYLES.dim) }];
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  copy: '©',
};

function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()];
  const codePoint = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return codePoint > 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : undefined;
}
