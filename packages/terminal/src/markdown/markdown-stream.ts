import { lexer, type Token, type Tokens } from 'marked';
import { cleanText } from '../text/clean-text.ts';

/** A piece of a document that stands by itself. */
export interface Block {
  readonly token: Token;
  /** True when it goes on with the block before it: the next item of a list, the next line of a code block. */
  readonly isContinued: boolean;
  /** The lines of a code block before it, as far as they matter. */
  readonly before?: string;
}

/** A block that is longer is taken as finished at a line break or a space, so that no frame costs more than this. */
const MAX_TAIL_CHARACTERS = 2048;
/** So much is looked at together, however much has come: what reads Markdown takes ever longer for longer blocks. */
const PIECE_CHARACTERS = 2048;

/**
 * Reads Markdown while it is being written. Of all blocks only the last can still change; the others are taken out once
 * and never read again. Code is finished line by line and a list item by item, because both may be very long.
 */
export class MarkdownStream {
  /** What can still change. */
  #tail = '';
  /** What has come and was not looked at. */
  #waiting = '';
  /** The code block that was begun and not ended, of which earlier lines were taken. */
  #fence: Fence | undefined;
  /** The kind of block of which a part was taken already; `any` when whatever follows belongs to it. */
  #continues: 'list' | 'code' | 'any' | undefined;

  push(text: string): void {
    this.#waiting += cleanText(text.replaceAll('\r', ''));
  }

  /** True while some of the text was not looked at, because there was too much. */
  get isBehind(): boolean {
    return this.#waiting !== '';
  }

  /** The blocks that nothing can change any more, each one once; of a long text only those of the first characters. */
  takeFinished(maxCharacters: number = Number.POSITIVE_INFINITY): Block[] {
    const blocks: Block[] = [];
    for (let left = maxCharacters; left > 0 && this.#waiting !== ''; left -= PIECE_CHARACTERS) {
      this.#tail += this.#waiting.slice(0, PIECE_CHARACTERS);
      this.#waiting = this.#waiting.slice(PIECE_CHARACTERS);
      for (let more = true; more; ) more = this.#fence ? this.#takeCode(this.#fence, blocks) : this.#takeBlocks(blocks);
    }
    return blocks;
  }

  /** What comes after the finished blocks, as it would look if it ended here. Nothing while there is more to look at. */
  readTail(): Block[] {
    if (this.isBehind) return [];
    if (!this.#fence) return toBlocks(lexer(this.#tail), this.#continues);
    // Signs that may become the end of the code are not shown as a part of it.
    return this.#fence.marker.startsWith(this.#tail.trim()) ? [] : this.#readCodeTail(this.#fence);
  }

  /** Takes everything that is left. */
  finish(): Block[] {
    const blocks = this.takeFinished();
    if (!this.#fence) blocks.push(...toBlocks(lexer(this.#tail), this.#continues));
    else if (this.#tail !== '' && !isClosing(this.#tail, this.#fence)) blocks.push(...this.#readCodeTail(this.#fence));
    this.#tail = '';
    this.#fence = undefined;
    this.#continues = undefined;
    return blocks;
  }

  #takeBlocks(blocks: Block[]): boolean {
    if (this.#tail === '') return false;
    const tokens = lexer(this.#tail);
    const firstOpen = tokens.length - countOpen(tokens);
    const finished = toBlocks(tokens.slice(0, firstOpen), this.#continues);
    const rest = tokens.slice(firstOpen);
    blocks.push(...finished);
    if (finished.length > 0) this.#continues = undefined;
    this.#tail = withoutTokens(this.#tail, tokens.slice(0, firstOpen), rest);
    const [open] = rest;
    if (open && isCode(open) && this.#beginFence(open)) return true;
    if (open && isList(open) && this.#takeItems(open, blocks)) return true;
    return this.#tail.length > MAX_TAIL_CHARACTERS && this.#takePart(blocks);
  }

  /** All items but the last are finished. */
  #takeItems(list: Tokens.List, blocks: Block[]): boolean {
    const finished = list.items.slice(0, -1);
    const taken = finished.map(({ raw }) => raw).join('');
    if (finished.length === 0 || !this.#tail.startsWith(taken)) return false;
    blocks.push(...toBlocks([{ ...list, items: finished, raw: taken }], this.#continues));
    this.#continues = 'list';
    this.#tail = this.#tail.slice(taken.length);
    return true;
  }

  #beginFence(token: Tokens.Code): boolean {
    const opening = OPENING_FENCE.exec(token.raw);
    if (!opening) return false;
    const [whole, indent = '', marker = ''] = opening;
    this.#fence = { marker, indent: indent.length, language: token.lang ?? '', taken: '' };
    this.#tail = this.#tail.slice(whole.length);
    return true;
  }

  #takeCode(fence: Fence, blocks: Block[]): boolean {
    const end = this.#tail.lastIndexOf('\n');
    if (end < 0) return this.#takePartOfCode(fence, blocks);
    const lines = this.#tail.slice(0, end).split('\n');
    const closing = lines.findIndex((line) => isClosing(line, fence));
    const code = closing < 0 ? lines : lines.slice(0, closing);
    if (code.length > 0) {
      const text = code.map((line) => withoutIndent(line, fence.indent)).join('\n');
      blocks.push(codeBlock(fence.language, text, this.#continues === 'code', fence.taken));
      fence.taken = lastLines(fence.taken, text);
      this.#continues = 'code';
    }
    if (closing < 0) {
      this.#tail = this.#tail.slice(end + 1);
      return false;
    }
    this.#tail = [...lines.slice(closing + 1), this.#tail.slice(end + 1)].join('\n');
    this.#fence = undefined;
    this.#continues = undefined;
    return true;
  }

  /** A line of code that is too long is broken before it has ended. */
  #takePartOfCode(fence: Fence, blocks: Block[]): false {
    if (this.#tail.length <= MAX_TAIL_CHARACTERS) return false;
    blocks.push(...this.#readCodeTail(fence));
    this.#continues = 'code';
    this.#tail = '';
    return false;
  }

  /** Takes a block that is too long but for its end, up to a line break or at least a space. */
  #takePart(blocks: Block[]): boolean {
    const most = this.#tail.slice(0, this.#tail.length - MAX_TAIL_CHARACTERS / 2);
    const cut = [most.lastIndexOf('\n'), most.lastIndexOf(' '), most.length - 1].find((place) => place > 0) ?? 0;
    blocks.push(...toBlocks(lexer(this.#tail.slice(0, cut + 1)), this.#continues));
    this.#tail = this.#tail.slice(cut + 1);
    this.#continues = 'any';
    return true;
  }

  #readCodeTail({ language, indent }: Fence): Block[] {
    return [codeBlock(language, withoutIndent(this.#tail, indent), this.#continues === 'code')];
  }
}

interface Fence {
  /** The signs it was opened with; as many or more of them close it. */
  readonly marker: string;
  readonly indent: number;
  readonly language: string;
  /** The last lines that were taken of it. */
  taken: string;
}

/** So much of the code before a line tells whether it stands in a comment, mostly. */
const MAX_TAKEN_LINES = 20;
const MAX_TAKEN_CHARACTERS = 2000;

function lastLines(before: string, text: string): string {
  const lines = `${before}${text}\n`.slice(-MAX_TAKEN_CHARACTERS).split('\n');
  return lines.slice(-1 - MAX_TAKEN_LINES).join('\n');
}

const OPENING_FENCE = /^( {0,3})(`{3,}|~{3,})[^\n]*\n/;

/** How many of the last tokens may still change. */
function countOpen(tokens: readonly Token[]): number {
  const last = tokens.at(-1);
  if (last?.type !== 'space') return 1;
  // After a blank line a list may go on; everything else is over.
  return tokens.at(-2)?.type === 'list' ? 2 : 0;
}

/** The text after the finished tokens. It cannot be put together from the others, since `raw` leaves out spaces at the end. */
function withoutTokens(text: string, finished: readonly Token[], rest: readonly Token[]): string {
  if (rest.length === 0) return '';
  let position = 0;
  for (const { raw } of finished) {
    while (position < text.length && !text.startsWith(raw, position)) position += 1;
    position += raw.length;
  }
  return position < text.length ? text.slice(position) : rest.map(({ raw }) => raw).join('');
}

function toBlocks(tokens: readonly Token[], continues: string | undefined): Block[] {
  return tokens
    .filter(({ type }) => type !== 'space')
    .map((token, index) => ({ token, isContinued: index === 0 && (continues === 'any' || continues === token.type) }));
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}

function isList(token: Token): token is Tokens.List {
  return token.type === 'list';
}

function isClosing(line: string, { marker }: Fence): boolean {
  const signs = line.trim();
  const [sign = ''] = marker;
  return signs.length >= marker.length && signs === sign.repeat(signs.length) && /^ {0,3}\S/.test(line);
}

function withoutIndent(line: string, indent: number): string {
  let start = 0;
  while (start < indent && line[start] === ' ') start += 1;
  return line.slice(start);
}

function codeBlock(language: string, text: string, isContinued: boolean, before = ''): Block {
  const token: Tokens.Code = { type: 'code', raw: text, text, lang: language };
  return { token, isContinued, before };
}
