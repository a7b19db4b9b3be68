import type { SessionEvent } from '@parley/session';

export interface ToldTextOptions {
  readonly type: 'message' | 'thought';
  readonly newId: () => string;
  readonly tell: (event: SessionEvent) => void;
}

/**
 * The messages or the thoughts of a turn. Pieces that are streamed, whole messages and the result may all tell the same
 * words: each is told once. Pieces that come together are told together, with `flush`.
 */
export class ToldText {
  readonly #options: ToldTextOptions;
  /** All that was said in this turn, or the end of it. */
  #said = '';
  /** What was told in pieces, and no whole message has repeated yet. */
  #streamed = '';
  #messageId: string | undefined;
  /** The message that was told last as a whole, for command lines that repeat it as it grows. */
  #last: { readonly id: string; readonly text: string } | undefined;
  #pieceId: string | undefined;
  #waiting = '';

  constructor(options: ToldTextOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#said === '';
  }

  takePiece(text: string, id?: string): void {
    if (id !== this.#pieceId) this.endMessage();
    this.#pieceId = id;
    this.#streamed += text;
    this.#add(text);
  }

  takeWhole(text: string, id?: string): void {
    const rest = this.#restOf(text, id);
    if (id !== undefined) this.#last = { id, text };
    if (rest === '') return;
    // The rest of a message continues it; anything else is a message of its own.
    if (rest === text) this.endMessage();
    this.#add(rest);
    this.#streamed = '';
    if (id === undefined) this.endMessage();
  }

  /** The last word of a turn, said only as far as it was not said before. */
  takeResult(text: string): void {
    if (text === this.#said || text.trim() === '' || this.#said.endsWith(text)) return;
    const said = withoutSpace(this.#said);
    const wanted = withoutSpace(text);
    if (said !== '' && (said.includes(wanted) || wanted === said)) return;
    if (this.#said !== '' && text.startsWith(this.#said)) return this.#add(text.slice(this.#said.length));
    this.endMessage();
    this.#add(text);
  }

  /** Whatever is said next is another message. */
  endMessage(): void {
    this.flush();
    this.#messageId = undefined;
  }

  flush(): void {
    if (this.#waiting === '') return;
    const { type, newId, tell } = this.#options;
    this.#messageId ??= newId();
    const content = { type: 'text' as const, text: this.#waiting };
    const messageId = this.#messageId;
    this.#waiting = '';
    tell(
      type === 'message'
        ? { type: 'message_chunk', speaker: 'agent', messageId, content }
        : { type: 'thought_chunk', messageId, content },
    );
  }

  #restOf(text: string, id: string | undefined): string {
    const { id: lastId, text: lastText = '' } = this.#last ?? {};
    if (id !== undefined && id === lastId && text.startsWith(lastText)) return text.slice(lastText.length);
    const streamed = this.#streamed;
    if (streamed === '') return text;
    if (streamed.startsWith(text)) {
      this.#streamed = streamed.slice(text.length);
      if (this.#streamed === '') this.endMessage();
      return '';
    }
    this.#streamed = '';
    if (text.startsWith(streamed)) return text.slice(streamed.length);
    return withoutSpace(text) === withoutSpace(streamed) ? '' : text;
  }

  #add(text: string): void {
    this.#waiting += text;
    this.#said += text;
    if (this.#said.length > 2 * MAX_COMPARED) this.#said = this.#said.slice(-MAX_COMPARED);
    if (this.#streamed.length > 2 * MAX_COMPARED) this.#streamed = this.#streamed.slice(-MAX_COMPARED);
    if (this.#waiting.length > MAX_WAITING) this.flush();
  }
}

/** Characters that are remembered to compare a result with. */
const MAX_COMPARED = 4 * 1024 * 1024;
/** Characters that are told at once at most. */
const MAX_WAITING = 64 * 1024;

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
