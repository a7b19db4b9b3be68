import type { TranscriptEvent } from '@parley/client';

interface Message {
  readonly id: string | undefined;
  readonly pieces: string[];
}

/** Events that may arrive in the middle of a message without ending it. */
const ASIDE: ReadonlySet<TranscriptEvent['type']> = new Set([
  'commands',
  'mode',
  'modes',
  'config',
  'info',
  'usage',
  'state',
] as const);

/**
 * What the agent says in a turn, in the pieces in which it came. The transcript has the same strings, joined as JavaScript joins
 * strings: without a copy until somebody looks into the whole. An answer that is written from its pieces is never copied.
 */
export class AnswerPieces {
  readonly #messages: Message[] = [];
  readonly #ids = new Set<string>();
  /** Whether a text without an id continues the last message. */
  #goesOn = false;
  /** False once a message was repeated or replaced: its pieces are then not the answer. */
  #isPlain = true;

  see(event: TranscriptEvent): void {
    if (event.type === 'message_chunk' && event.speaker === 'agent') {
      if (event.content.type === 'text') this.#add(event.content.text, event.messageId);
    } else if (event.type === 'whole_message') this.#isPlain = false;
    else if (!ASIDE.has(event.type)) this.#goesOn = false;
  }

  /** The pieces of `text`, which is the whole as the transcript has it; in one piece where those here are not the same. */
  of(text: string): Iterable<string> {
    const spoken = this.#messages.filter(({ pieces }) => pieces.some((piece) => piece.trim() !== ''));
    const pieces = spoken.flatMap((message, index) => (index === 0 ? message.pieces : ['\n\n', ...message.pieces]));
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    return this.#isPlain && length === text.length ? pieces : [text];
  }

  #add(text: string, id: string | undefined): void {
    const last = this.#messages.at(-1);
    const isSame = last?.id === id && (id !== undefined || this.#goesOn);
    this.#goesOn = true;
    if (last && isSame) return void last.pieces.push(text);
    if (id !== undefined && this.#ids.has(id)) this.#isPlain = false;
    if (id !== undefined) this.#ids.add(id);
    this.#messages.push({ id, pieces: [text] });
  }
}
