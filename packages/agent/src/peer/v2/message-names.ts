import type { MessageChunk, ThoughtChunk } from '@parley/session';

/**
 * Ids for messages to which their author gave none: in version 2 every message has one. The log names them; what was logged
 * before it did is named by its place there, as long as pieces of the same kind follow each other.
 */
export class MessageNames {
  readonly #last = new Map<string, { readonly kind: string; readonly messageId: string; seq: number }>();

  name<Chunk extends MessageChunk | ThoughtChunk>(sessionId: string, chunk: Chunk, seq: number | undefined): Chunk {
    const { localId } = chunk;
    if (localId !== undefined) return { ...chunk, messageId: localId };
    return { ...chunk, messageId: this.#nameByPlace(sessionId, chunk, seq ?? 0) };
  }

  forget(sessionId: string): void {
    this.#last.delete(sessionId);
  }

  #nameByPlace(sessionId: string, chunk: MessageChunk | ThoughtChunk, seq: number): string {
    const kind = chunk.type === 'message_chunk' ? chunk.speaker : 'thought';
    const last = this.#last.get(sessionId);
    if (last?.kind === kind && seq <= last.seq + 1) {
      last.seq = seq;
      return last.messageId;
    }
    const messageId = `message-at-${seq}`;
    this.#last.set(sessionId, { kind, messageId, seq });
    return messageId;
  }
}
