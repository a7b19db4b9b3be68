/** A text whose quoted parts are replaced by marks, so that grammar never looks inside them. */
export interface MaskedText {
  readonly text: string;
  readonly quoted: readonly QuotedPart[];
}

export interface QuotedPart {
  /** As it was written, quotes included. */
  readonly raw: string;
  /** What it means. */
  readonly inner: string;
}

/** Private-use characters enclose the number of a quoted part; found in the text itself, they are quoted too. */
const MARK_OPEN = '\ue000';
const MARK_CLOSE = '\ue001';
const MARK = /\ue000(\d+)\ue001/g;

/** One mark, as it appears in masked text. */
export const MARK_PATTERN = '\ue000\\d+\ue001';

/** The closing quote for each opening one. */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '‘': '’', '«': '»' };

const FENCE = '```';
const MAX_JSON_TRIES = 20;

/** Masks quotes, backticks, fenced blocks and JSON objects. A quote that is never closed stays an ordinary character. */
export function maskQuotes(text: string): MaskedText {
  const quoted: QuotedPart[] = [];
  let masked = '';
  let jsonTries = 0;
  for (let index = 0; index < text.length; ) {
    const found = quotedAt(text, index, jsonTries < MAX_JSON_TRIES);
    if (text[index] === '{') jsonTries++;
    if (found === undefined) {
      masked += text[index];
      index++;
      continue;
    }
    masked += MARK_OPEN + quoted.length + MARK_CLOSE;
    quoted.push(found);
    index += found.raw.length;
  }
  return { text: masked, quoted };
}

/** Puts the meaning of the quoted parts back. */
export function unmask(text: string, quoted: readonly QuotedPart[]): string {
  return text.replace(MARK, (_, index) => quoted[Number(index)]?.inner ?? '');
}

/** Puts the quoted parts back as they were written. */
export function unmaskRaw(text: string, quoted: readonly QuotedPart[]): string {
  return text.replace(MARK, (_, index) => quoted[Number(index)]?.raw ?? '');
}

function quotedAt(text: string, index: number, mayBeJson: boolean): QuotedPart | undefined {
  const character = text[index] ?? '';
  if (character === MARK_OPEN || character === MARK_CLOSE) return { raw: character, inner: character };
  if (text.startsWith(FENCE, index)) return fencedAt(text, index);
  if (character === '{') return mayBeJson ? jsonAt(text, index) : undefined;
  const close = QUOTES[character];
  if (close === undefined || (character === "'" && !opensHere(text, index))) return undefined;
  const end = closingIndex(text, index + 1, close);
  return end < 0 ? undefined : { raw: text.slice(index, end + 1), inner: text.slice(index + 1, end) };
}

/** An apostrophe inside a word is no quote. */
function opensHere(text: string, index: number): boolean {
  const before = text[index - 1];
  return before === undefined || /[\s([{=:,]/.test(before);
}

function closingIndex(text: string, from: number, close: string): number {
  let end = text.indexOf(close, from);
  if (close !== "'") return end;
  while (end >= 0 && /\w/.test(text[end + 1] ?? '')) end = text.indexOf(close, end + 1);
  return end;
}

/** The block without its fences and language; a file made of it ends with a newline. */
function fencedAt(text: string, index: number): QuotedPart | undefined {
  const lineEnd = text.indexOf('\n', index);
  const end = lineEnd < 0 ? -1 : text.indexOf(`\n${FENCE}`, lineEnd);
  if (end < 0) return undefined;
  return { raw: text.slice(index, end + 1 + FENCE.length), inner: text.slice(lineEnd + 1, end + 1) };
}

function jsonAt(text: string, index: number): QuotedPart | undefined {
  let depth = 0;
  let isInString = false;
  for (let end = index; end < text.length; end++) {
    const character = text[end];
    if (isInString) {
      if (character === '\\') end++;
      else if (character === '"') isInString = false;
      continue;
    }
    if (character === '"') isInString = true;
    if (character === '{') depth++;
    if (character === '}' && --depth === 0) return asJson(text.slice(index, end + 1));
  }
  return undefined;
}

function asJson(raw: string): QuotedPart | undefined {
  try {
    JSON.parse(raw);
    return { raw, inner: raw };
  } catch {
    return undefined;
  }
}
