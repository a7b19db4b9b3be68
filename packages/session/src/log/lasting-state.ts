import type { CompactionEvent, PlanEvent, SessionEvent, UsageEvent } from '../event.ts';
import type { Content } from '../parts.ts';

/**
 * What events leave behind that holds after they are gone. The mode and the options are not among it: they are kept with the session and
 * told when it is opened.
 */
export class LastingState {
  #title: string | null | undefined;
  #usage: UsageEvent | undefined;
  #compaction: CompactionEvent | undefined;
  readonly #plans = new Map<string | undefined, PlanEvent>();
  /** The summaries of compactions that have not ended yet. */
  readonly #summaries = new Map<string, Content[]>();

  see(event: SessionEvent): void {
    switch (event.type) {
      case 'info':
        if (event.title !== undefined) this.#title = event.title;
        return;
      case 'usage':
        this.#usage = event;
        return;
      case 'plan':
        if (event.isRemoved) this.#plans.delete(event.planId);
        else this.#plans.set(event.planId, event);
        return;
      case 'compaction_chunk': {
        const summary = this.#summaries.get(event.compactionId) ?? [];
        this.#summaries.set(event.compactionId, [...summary, event.content]);
        return;
      }
      case 'compaction':
        return this.#seeCompaction(event);
    }
  }

  /** The fewest events that tell the same. */
  events(): SessionEvent[] {
    return [
      ...(this.#title === undefined ? [] : [{ type: 'info', title: this.#title } as const]),
      ...(this.#compaction ? [this.#compaction] : []),
      // What an agent noted about the making of a plan belongs to the turn that is gone.
      ...[...this.#plans.values()].map(({ meta: _, ...plan }): SessionEvent => plan),
      ...(this.#usage ? [this.#usage] : []),
    ];
  }

  #seeCompaction(event: CompactionEvent): void {
    const { compactionId, status, summary } = event;
    if (status === 'in_progress') return;
    if (status === 'completed') {
      const told = summary && summary.length > 0 ? summary : (this.#summaries.get(compactionId) ?? []);
      this.#compaction = { ...event, summary: told };
    }
    this.#summaries.delete(compactionId);
  }
}
