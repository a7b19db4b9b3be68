import { shownText } from '@parley/protocol';
import type { PlanEvent, SessionEvent, ToolCallEvent } from '../event.ts';
import type { ToolCallContent } from '../parts.ts';

/** For the person, and for a model that reads the conversation later. */
const INTERRUPTED = 'This was interrupted before it finished; its effect is unknown.';

/** What a turn has begun and not ended yet, as its events tell. */
export class Unfinished {
  /** What each open tool call shows. */
  readonly #calls = new Map<string, readonly ToolCallContent[]>();
  readonly #compactions = new Set<string>();
  #plan: PlanEvent | undefined;

  see(event: SessionEvent): void {
    switch (event.type) {
      case 'tool_call':
        return this.#seeCall(event);
      case 'tool_call_chunk': {
        const shown = this.#calls.get(event.toolCallId);
        if (shown) this.#calls.set(event.toolCallId, [...shown, event.content]);
        return;
      }
      case 'compaction':
        if (event.status === 'in_progress') this.#compactions.add(event.compactionId);
        else this.#compactions.delete(event.compactionId);
        return;
      case 'plan':
        this.#plan = event;
    }
  }

  forget(): void {
    this.#calls.clear();
    this.#compactions.clear();
    this.#plan = undefined;
  }

  /** How clients are told that nobody will go on with it. */
  close(): SessionEvent[] {
    const plan = this.#plan && planAtEnd(this.#plan, false);
    return [
      ...[...this.#calls].map(
        ([toolCallId, shown]): SessionEvent => ({
          type: 'tool_call',
          toolCallId,
          status: 'failed',
          content: [...shown, shownText(INTERRUPTED)],
        }),
      ),
      ...[...this.#compactions].map(
        (compactionId): SessionEvent => ({ type: 'compaction', compactionId, status: 'failed', error: INTERRUPTED }),
      ),
      ...(plan ? [plan] : []),
    ];
  }

  #seeCall({ toolCallId, status, content }: ToolCallEvent): void {
    const before = this.#calls.get(toolCallId);
    if (status === 'completed' || status === 'failed' || status === 'cancelled') this.#calls.delete(toolCallId);
    // A call that says nothing of its status has one only if it is open.
    else if (status !== undefined || before) this.#calls.set(toolCallId, content ?? before ?? []);
  }
}

/**
 * The plan when nobody works on it any more; undefined when it can stay as it is. A turn that came to its end has done
 * the step it was at, and models rarely say so; any other end leaves the step to be begun again. Steps that were never
 * begun stay pending: they were not done.
 */
export function planAtEnd(plan: PlanEvent, hasSucceeded: boolean): PlanEvent | undefined {
  if (!plan.entries.some(({ status }) => status === 'in_progress')) return undefined;
  const status = hasSucceeded ? 'completed' : 'pending';
  return {
    ...plan,
    entries: plan.entries.map((entry) => (entry.status === 'in_progress' ? { ...entry, status } : entry)),
  };
}
