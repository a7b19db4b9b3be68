import { cleanText } from '../text/clean-text.ts';
import { type Key, keyOfCodePoint, NUMBERED_KEYS, nameOfControl, SPECIAL_KEYS, withModifiers } from './key.ts';

/** How much is kept of a paste; nobody reads more in a prompt. */
const MAX_PASTE_CHARACTERS: number = 4 * 1024 * 1024;

/** Longer than any sequence a keyboard sends; what is longer is not one. */
const MAX_SEQUENCE = 64;

/**
 * Turns what a terminal sends into keys. A sequence may come in pieces: what is not complete waits for the next `push`,
 * and a lone Escape waits for `flush`, which the caller calls when nothing has followed for a moment.
 */
export class KeyDecoder {
  readonly #onFocus: (isInFront: boolean) => void;
  readonly #onAnswer: (answer: string) => void;
  #pending = '';
  #paste: string[] | undefined;
  #pasteLength = 0;

  /**
   * Reports that the window has got or lost the keyboard are no keys; they go to `onFocus`. Answers of the terminal to questions
   * of ours (OSC) go to `onAnswer`, without their signs.
   */
  constructor(onFocus: (isInFront: boolean) => void = () => {}, onAnswer: (answer: string) => void = () => {}) {
    this.#onFocus = onFocus;
    this.#onAnswer = onAnswer;
  }

  /** True when `flush` may bring a key. */
  get isWaiting(): boolean {
    return this.#pending !== '' && this.#paste === undefined;
  }

  push(input: string): Key[] {
    const keys: Key[] = [];
    let text = this.#pending + input;
    this.#pending = '';
    while (text !== '') {
      if (this.#paste) {
        text = this.#readPaste(text, keys);
        continue;
      }
      const length = this.#readOne(text, keys);
      if (length === 0) {
        this.#pending = text;
        break;
      }
      text = text.slice(length);
    }
    return keys;
  }

  flush(): Key[] {
    if (!this.isWaiting) return [];
    const text = this.#pending;
    this.#pending = '';
    if (text.length === 1) return [{ type: 'key', name: 'escape' }];
    // Alt with a sign that also begins longer sequences. What is longer was cut off on its way, and is no key.
    return text.length === 2 ? [{ type: 'key', name: `alt+${text[1]?.toLowerCase()}` }] : [];
  }

  /** Reads one key and returns how long it was; 0 when it is not complete. */
  #readOne(text: string, keys: Key[]): number {
    const code = text.charCodeAt(0);
    if (code === ESC) return this.#readEscape(text, keys);
    if (isControl(code)) {
      keys.push({ type: 'key', name: nameOfControl(code) });
      return 1;
    }
    let length = 1;
    while (length < text.length && !isControl(text.charCodeAt(length))) length += 1;
    keys.push({ type: 'text', text: text.slice(0, length) });
    return length;
  }

  #readEscape(text: string, keys: Key[]): number {
    const second = text[1];
    if (second === undefined) return 0;
    if (second === '[') return this.#readCsi(text, keys);
    if (second === 'O') return readSs3(text, keys);
    if (']P_^X'.includes(second)) {
      const length = skipString(text);
      if (length > 0 && second === ']') this.#onAnswer(text.slice(2, length).replace(STRING_END, ''));
      return length;
    }
    if (second === ESC_CHARACTER) {
      // Alt with a key that is a sequence itself, or Escape twice.
      if (text[2] === undefined) return 0;
      if (text[2] !== '[' && text[2] !== 'O') {
        keys.push({ type: 'key', name: 'escape' });
        return 1;
      }
      const inner: Key[] = [];
      const length = this.#readOne(text.slice(1), inner);
      for (const key of inner) keys.push(key.type === 'key' ? { type: 'key', name: `alt+${key.name}` } : key);
      return length === 0 ? 0 : length + 1;
    }
    const [character = second] = text.slice(1);
    const code = character.charCodeAt(0);
    keys.push({ type: 'key', name: `alt+${isControl(code) ? nameOfControl(code) : character.toLowerCase()}` });
    return 1 + character.length;
  }

  #readCsi(text: string, keys: Key[]): number {
    let end = 2;
    while (end < text.length && isBetween(text.charCodeAt(end), 0x20, 0x3f)) end += 1;
    if (end >= text.length) return end > MAX_SEQUENCE ? end : 0;
    const final = text[end] ?? '';
    const parameters = text.slice(2, end);
    if (final === '~' && parameters === '200') {
      this.#paste = [];
      this.#pasteLength = 0;
      return end + 1;
    }
    if (parameters === '' && (final === 'I' || final === 'O')) this.#onFocus(final === 'I');
    const key = keyOfCsi(parameters, final);
    if (key) keys.push(key);
    return end + 1;
  }

  /** Takes what belongs to the paste and returns the rest. */
  #readPaste(text: string, keys: Key[]): string {
    const end = text.indexOf(PASTE_END);
    if (end < 0) {
      // The end mark itself may be cut in two.
      const kept = PASTE_END.length - 1;
      const safe =
        text.lastIndexOf(ESC_CHARACTER) >= text.length - kept ? text.lastIndexOf(ESC_CHARACTER) : text.length;
      this.#addToPaste(text.slice(0, safe));
      this.#pending = text.slice(safe);
      return '';
    }
    this.#addToPaste(text.slice(0, end));
    const pasted = (this.#paste ?? []).join('');
    this.#paste = undefined;
    keys.push({ type: 'paste', text: cleanText(pasted.replace(/\r\n?/g, '\n')) });
    return text.slice(end + PASTE_END.length);
  }

  #addToPaste(text: string): void {
    const room = MAX_PASTE_CHARACTERS - this.#pasteLength;
    if (room <= 0) return;
    this.#paste?.push(text.slice(0, room));
    this.#pasteLength += text.length;
  }
}

const ESC = 0x1b;
const ESC_CHARACTER = '\u001b';
const PASTE_END = '\u001b[201~';

function keyOfCsi(parameters: string, final: string): Key | undefined {
  // Answers of the terminal to questions begin with a mark of their own.
  if (/^[<=>?]/.test(parameters)) return undefined;
  const [first = '', second = '', third = ''] = parameters.split(';');
  const modifiers = Number.parseInt(second, 10);
  if (final === 'Z') return { type: 'key', name: 'shift+tab' };
  if (final === 'u') return keyOfReport(first, Number.isNaN(modifiers) ? 1 : modifiers);
  if (final === '~' && first === '27') return keyOfCodePoint(Number.parseInt(third, 10), modifiers);
  // `R` with two numbers is a cursor report unless the first is 1, and we never ask for one.
  const name = final === '~' ? NUMBERED_KEYS[first] : SPECIAL_KEYS[final];
  return name === undefined ? undefined : { type: 'key', name: withModifiers(name, modifiers) };
}

/** `code:shifted:base`. With modifiers the base counts: ctrl+c is the same key on a Cyrillic keyboard. */
function keyOfReport(codes: string, modifiers: number): Key | undefined {
  const [code = '', , base = ''] = codes.split(':');
  const isPlain = (modifiers - 1) % 16 <= 1;
  return keyOfCodePoint(Number.parseInt(isPlain || base === '' ? code : base, 10), modifiers);
}

function readSs3(text: string, keys: Key[]): number {
  const letter = text[2];
  if (letter === undefined) return 0;
  const name = letter === 'M' ? 'enter' : SPECIAL_KEYS[letter];
  if (name === undefined) {
    keys.push({ type: 'key', name: 'alt+o' });
    return 2;
  }
  keys.push({ type: 'key', name });
  return 3;
}

/** Answers such as colours and names of terminals are strings; nobody typed them. */
function skipString(text: string): number {
  for (let end = 2; end < text.length; end += 1) {
    if (text.charCodeAt(end) === 0x07) return end + 1;
    if (text[end] === ESC_CHARACTER && text[end + 1] === '\\') return end + 2;
  }
  return text.length > MAX_STRING_ANSWER ? text.length : 0;
}

const MAX_STRING_ANSWER = 4096;
const STRING_END = new RegExp(`(?:\\u0007|${ESC_CHARACTER}\\\\)$`);

function isControl(code: number): boolean {
  return code < 0x20 || code === 0x7f;
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}
