import type { ContentBlock } from '@parley/protocol';
import type { MessageChunk, SessionEvent, ThoughtChunk } from '../event.ts';

/** Longest text that pieces are joined to; beyond it the log gets a further event. */
const MAX_CHARACTERS = 32_768;

/** Pieces of one text of the agent that become one event, because how much a piece holds means nothing. */
export class GrowingChunk {
  readonly #first: MessageChunk | ThoughtChunk;
  #text: string;

  private constructor(first: MessageChunk | ThoughtChunk, text: string) {
    this.#first = first;
    this.#text = text;
  }

  /** Undefined when the event is not a piece of text that more can be added to. Keeps nothing of the event's own object. */
  static from(event: SessionEvent): GrowingChunk | undefined {
    const text = growingText(event);
    if (text === undefined || text.length > MAX_CHARACTERS) return undefined;
    return new GrowingChunk({ ...(event as MessageChunk | ThoughtChunk) }, text);
  }

  /** Much was said at once, and nothing else happened meanwhile. */
  get isLong(): boolean {
    return this.#text.length > MAX_CHARACTERS / 2;
  }

  /** Adds the next piece; false when it does not belong to this text, or would make it too long. */
  add(event: SessionEvent): boolean {
    if (event.type !== this.#first.type) return false;
    const text = growingText(event);
    if (text === undefined || event.messageId !== this.#first.messageId) return false;
    if (event.localId !== this.#first.localId) return false;
    if (this.#text.length + text.length > MAX_CHARACTERS) return false;
    this.#text += text;
    return true;
  }

  toEvent(): SessionEvent {
    return { ...this.#first, content: { type: 'text', text: this.#text } };
  }
}

function growingText(event: SessionEvent): string | undefined {
  if (event.type !== 'message_chunk' && event.type !== 'thought_chunk') return undefined;
  // The blocks of a prompt are the person's; they come back one by one as they were sent.
  if (
    event.meta !== undefined ||
    event.extra !== undefined ||
    (event.type === 'message_chunk' && event.speaker !== 'agent')
  )
    return undefined;
  if (event.messageId !== undefined && typeof event.messageId !== 'string') return undefined;
  return plainText(event.content);
}

function plainText(content: ContentBlock | undefined): string | undefined {
  if (content?.type !== 'text') return undefined;
  // Whatever else a block says, it says of its own text.
  for (const name in content) if (name !== 'type' && name !== 'text') return undefined;
  return typeof content.text === 'string' ? content.text : undefined;
}
