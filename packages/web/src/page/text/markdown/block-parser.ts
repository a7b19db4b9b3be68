import { Lexer, type Token } from 'marked';

/** A block that is longer than this is shown as plain text: reading it anew with every piece would take too long. */
const MAX_TAIL_CHARACTERS = 200_000;

/**
 * Reads Markdown while it is being written. Blocks that nothing can change any more are read once and kept in `blocks`, which only
 * grows; what comes after them is the tail, and only that is read again when more text comes. The whole is the same as if it had
 * been read at once, but for links whose definition comes after them: `finish` reads everything again where there was one.
 */
export class BlockParser {
  #blocks: Token[] = [];
  /** The text as it was given. */
  #source = '';
  /** The same with plain line breaks. All of it is kept for the case of definitions. */
  #text = '';
  #tailStart = 0;
  #links: Lexer['tokens']['links'] = Object.create(null);
  #hasDefinitions = false;
  #isFinished = false;
  #drawn: { readonly tail: string; readonly tokens: readonly Token[] } | undefined;

  /** The blocks that are final. The same array grows; after `finish` it may be another one. */
  get blocks(): readonly Token[] {
    return this.#blocks;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Takes the whole text so far; false when it does not continue what was taken before, and another parser must read it. */
  update(text: string): boolean {
    if (text.length === this.#source.length) return text === this.#source;
    if (this.#isFinished || !text.startsWith(this.#source)) return false;
    // A carriage return may be the first half of a line break.
    const start = this.#source.endsWith('\r') ? this.#source.length - 1 : this.#source.length;
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    const added = text.slice(start, end).replace(/\r\n?/g, '\n');
    this.#source = text;
    this.#text += added;
    if (added.includes('\n')) this.#commit();
    return true;
  }

  /** The blocks that may still change, as they look now. */
  get tail(): readonly Token[] {
    const tail = withoutOpenUnderline(this.#text.slice(this.#tailStart));
    if (this.#drawn?.tail !== tail) this.#drawn = { tail, tokens: this.#read(tail) };
    return this.#drawn.tokens;
  }

  /** No more text comes. */
  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    if (this.#source.endsWith('\r')) this.#text += '\n';
    if (this.#hasDefinitions || this.#text.includes(']:', this.#tailStart)) {
      this.#links = Object.create(null);
      this.#blocks = this.#read(this.#text);
    } else {
      this.#blocks.push(...this.#read(this.#text.slice(this.#tailStart)));
    }
    this.#tailStart = this.#text.length;
  }

  /**
   * Keeps every block that is followed by another one. Only whole lines count: the first characters of a line do not tell yet what
   * it will be.
   */
  #commit(): void {
    const end = this.#text.lastIndexOf('\n') + 1;
    const whole = this.#text.slice(this.#tailStart, end);
    if (whole.length > MAX_TAIL_CHARACTERS) return;
    const tokens = this.#read(whole);
    let open = tokens.length - 1;
    while (open >= 0 && tokens[open]?.type === 'space') open -= 1;
    // A paragraph without an empty line below it may yet become a heading, together with what follows.
    while (open > 0 && OPEN_TYPES.has(tokens[open - 1]?.type ?? '')) open -= 1;
    let length = 0;
    for (const token of tokens.slice(0, Math.max(0, open))) {
      length += token.raw.length;
      if (token.type === 'def') this.#hasDefinitions = true;
      this.#blocks.push(token);
    }
    this.#tailStart += length;
  }

  #read(markdown: string): Token[] {
    if (markdown.length > MAX_TAIL_CHARACTERS && !this.#isFinished) return [plain(markdown)];
    try {
      const lexer = new Lexer({ gfm: true });
      Object.assign(lexer.tokens.links, this.#links);
      const tokens = lexer.lex(markdown);
      if (!this.#isFinished) Object.assign(this.#links, lexer.tokens.links);
      return [...tokens];
    } catch {
      // Nesting without end overflows the stack of whoever reads it.
      return [plain(markdown)];
    }
  }
}

const OPEN_TYPES: ReadonlySet<string> = new Set(['paragraph', 'text']);

/** All blocks of a text that is complete. */
export function readMarkdown(text: string): readonly Token[] {
  const parser = new BlockParser();
  parser.update(text);
  parser.finish();
  return parser.blocks;
}

function plain(text: string): Token {
  return { type: 'html', block: true, pre: false, raw: text, text };
}

/** A line of dashes that is still being written would make a heading of the paragraph before it, for one frame. */
function withoutOpenUnderline(tail: string): string {
  const start = tail.lastIndexOf('\n') + 1;
  return start > 0 && /^\s*[-=]+\s*$/.test(tail.slice(start)) ? tail.slice(0, start) : tail;
}
