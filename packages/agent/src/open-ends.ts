import type { PlanEvent, SessionEvent } from '@parley/protocol';

/** What a turn has begun and not ended yet, as its events tell. */
export class OpenEnds {
  readonly #calls = new Set<string>();
  readonly #compactions = new Set<string>();
  #plan: PlanEvent | undefined;

  see(event: SessionEvent): void {
    switch (event.type) {
      case 'tool_call': {
        const { status, toolCallId } = event;
        if (status === 'completed' || status === 'failed') this.#calls.delete(toolCallId);
        else if (status !== undefined) this.#calls.add(toolCallId);
        break;
      }
      case 'compaction':
        if (event.status === 'in_progress') this.#compactions.add(event.compactionId);
        else this.#compactions.delete(event.compactionId);
        break;
      case 'plan':
        this.#plan = event;
        break;
    }
  }

  forget(): void {
    this.#calls.clear();
    this.#compactions.clear();
    this.#plan = undefined;
  }

  /** How clients are told that nobody will go on with it. */
  *close(): Generator<SessionEvent> {
    for (const toolCallId of this.#calls) yield { type: 'tool_call', toolCallId, status: 'failed' };
    for (const compactionId of this.#compactions) yield { type: 'compaction', compactionId, status: 'failed' };
    const plan = this.#plan;
    if (plan?.entries.some(({ status }) => status === 'in_progress')) {
      const entries = plan.entries.map((entry) =>
        entry.status === 'in_progress' ? { ...entry, status: 'pending' as const } : entry,
      );
      yield { ...plan, entries };
    }
  }
}
