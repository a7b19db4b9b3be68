import type { ContentBlock } from '@parley/protocol';
import type { CompactionEvent, SessionEvent } from '@parley/session';
import type { Compaction } from '../contract/turn.ts';

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
