/** What a stream of terminal output is made of. */
export type Piece =
  | { readonly type: 'text'; readonly text: string }
  /** One of the control characters that move the cursor: line feed, carriage return, backspace, tab. */
  | { readonly type: 'control'; readonly character: '\n' | '\r' | '\b' | '\t' }
  /** `ESC[` parameters letter. */
  | { readonly type: 'sequence'; readonly parameters: string; readonly letter: string };

type State = 'text' | 'escape' | 'sequence' | 'string' | 'string escape' | 'charset';

/** A sequence that is longer than this is none. */
const MAX_PARAMETERS = 256;

/**
 * Takes terminal output apart, wherever it is cut. What could reach beyond the text (titles, links, the clipboard, whole programs of
 * the terminal) is dropped with all that it holds, and so is every character that hides or turns text.
 */
export class EscapeReader {
  #state: State = 'text';
  #parameters = '';
  /** The first half of a character whose second is still to come. */
  #half = '';
  readonly #put: (piece: Piece) => void;

  constructor(put: (piece: Piece) => void) {
    this.#put = put;
  }

  write(piece: string): void {
    const whole = this.#half + piece;
    const isCut = /[\ud800-\udbff]$/.test(whole);
    this.#half = isCut ? whole.slice(-1) : '';
    const text = isCut ? whole.slice(0, -1) : whole;
    for (let index = 0; index < text.length; ) {
      if (this.#state === 'text') {
        SPECIAL.lastIndex = index;
        const end = SPECIAL.exec(text)?.index ?? text.length;
        if (end > index) this.#put({ type: 'text', text: text.slice(index, end) });
        index = end;
        if (index < text.length) this.#readSpecial(text[index] ?? '');
      } else {
        this.#readEscape(text[index] ?? '');
      }
      index += 1;
    }
  }

  #readSpecial(character: string): void {
    if (character === '\x1b') this.#state = 'escape';
    else if (character === '\x9b') this.#begin('sequence');
    else if (C1_STRINGS.includes(character)) this.#begin('string');
    else if (character === '\n' || character === '\r' || character === '\b' || character === '\t')
      this.#put({ type: 'control', character });
  }

  #begin(state: State): void {
    this.#state = state;
    this.#parameters = '';
  }

  #readEscape(character: string): void {
    switch (this.#state) {
      case 'escape':
        if (character === '[') this.#begin('sequence');
        else if (']P^_X'.includes(character)) this.#begin('string');
        else if ('()*+#%'.includes(character)) this.#state = 'charset';
        else this.#leave(character);
        return;
      case 'charset':
        return this.#leave(character);
      case 'sequence':
        return this.#readSequence(character);
      case 'string':
        if (character === '\x1b') this.#state = 'string escape';
        // One that never ends must not swallow what follows its line.
        else if (character === '\x07' || character === '\x9c' || character === '\n') this.#leave(character);
        return;
      default:
        if (character === '\\') this.#state = 'text';
        else {
          this.#state = 'escape';
          this.#readEscape(character);
        }
    }
  }

  #readSequence(character: string): void {
    if (character >= '\x20' && character <= '\x3f') {
      this.#parameters += character;
      if (this.#parameters.length > MAX_PARAMETERS) this.#state = 'text';
    } else if (character >= '@' && character <= '~') {
      this.#state = 'text';
      this.#put({ type: 'sequence', parameters: this.#parameters, letter: character });
    } else this.#leave(character);
  }

  /** Back to text; a line break or another escape that came in the midst of a sequence still counts. */
  #leave(character: string): void {
    this.#state = 'text';
    if (character === '\n' || character === '\r' || character === '\x1b') this.#readSpecial(character);
  }
}

const C1_STRINGS = '\x90\x98\x9d\x9e\x9f';

/** Control characters, marks of direction, and what takes no room. */
const SPECIAL = /\p{Cc}|[\p{Bidi_Control}\u2028\u2029\u200b\u2060-\u2064\ufeff]|[\u{e0000}-\u{e007f}]/gu;
