import type { ContentBlock } from '@parley/protocol';
import type { CompactionEvent, SessionEvent } from '@parley/session';

/**
 * The conversation being shortened: begun, told piece by piece if at all, and ended once. Clients that have no word for
 * it are not told.
 */
export interface Compaction {
  readonly id: string;
  readonly isFinal: boolean;
  /** A piece of the summary, as it is written. */
  chunk(content: string | ContentBlock): void;
  /** The whole summary, or nothing when it was told in pieces or is not for the person. */
  complete(summary?: string | readonly ContentBlock[]): void;
  fail(error?: string): void;
  cancel(): void;
}

export class OpenCompaction implements Compaction {
  readonly id: string;
  readonly #emit: (event: SessionEvent) => void;
  #isFinal = false;

  constructor(id: string, emit: (event: SessionEvent) => void) {
    this.id = id;
    this.#emit = emit;
    this.#emit({ type: 'compaction', compactionId: id, status: 'in_progress' });
  }

  get isFinal(): boolean {
    return this.#isFinal;
  }

  chunk(content: string | ContentBlock): void {
    if (this.#isFinal) return;
    this.#emit({ type: 'compaction_chunk', compactionId: this.id, content: toContent(content) });
  }

  complete(summary?: string | readonly ContentBlock[]): void {
    const blocks = typeof summary === 'string' ? [toContent(summary)] : summary;
    this.#end({ status: 'completed', ...(blocks && { summary: blocks }) });
  }

  fail(error?: string): void {
    this.#end({ status: 'failed', ...(error !== undefined && { error }) });
  }

  cancel(): void {
    this.#end({ status: 'cancelled' });
  }

  #end(outcome: Pick<CompactionEvent, 'status' | 'summary' | 'error'>): void {
    if (this.#isFinal) return;
    this.#isFinal = true;
    this.#emit({ type: 'compaction', compactionId: this.id, ...outcome });
  }
}

export function toContent(content: string | ContentBlock): ContentBlock {
  return typeof content === 'string' ? { type: 'text', text: content } : content;
}
