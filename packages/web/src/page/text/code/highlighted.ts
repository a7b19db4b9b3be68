/** A piece of code, and what it is in its language. */
export interface CodePiece {
  readonly text: string;
  /** Classes that a highlighter has given it, such as `hljs-keyword`. */
  readonly names: string;
}

/**
 * Reads what highlight.js writes into pieces, so that views build nodes of their own and no text ever becomes HTML: the only tags
 * that it writes are spans with a class, and everything that is not exactly such a tag or one of its five escapes is text.
 */
export function readHighlighted(html: string): CodePiece[] {
  const pieces: CodePiece[] = [];
  const open: string[] = [];
  let end = 0;
  const add = (text: string): void => {
    if (text !== '') pieces.push({ text: plainText(text), names: open.at(-1) ?? '' });
  };
  for (const match of html.matchAll(TAG)) {
    add(html.slice(end, match.index));
    end = match.index + match[0].length;
    if (match[1] === undefined) open.pop();
    else open.push(match[1]);
  }
  add(html.slice(end));
  return pieces;
}

const TAG = /<span class="([a-z0-9_ -]*)">|<\/span>/gi;

const ESCAPES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

function plainText(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (whole, name: string) => ESCAPES[name] ?? whole);
}
