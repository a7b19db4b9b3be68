import { textOfContent } from '@parley/protocol';
import type { SessionEvent } from '@parley/session';

type Speaker = 'user' | 'agent';

/**
 * Tells again from new after a session was loaded. Some agents say that it is loaded and tell the conversation only then, when a
 * prompt may be under way. A replay begins with what the person said first, and goes on with what the log has, in its order; with
 * the first event that does not, it is over. Nothing else is taken for one, since what is lost is worse than what is shown twice.
 */
export class LateReplay {
  readonly #left: Record<Speaker, string>;
  readonly #calls: ReadonlySet<string>;
  #state: 'awaited' | 'running' | 'over' = 'awaited';

  private constructor(said: Record<Speaker, string>, calls: ReadonlySet<string>) {
    this.#left = said;
    this.#calls = calls;
    if (said.user === '') this.#state = 'over';
  }

  /** `exceptMessageId` is the prompt that runs. */
  static async read(history: AsyncIterable<SessionEvent>, exceptMessageId: string): Promise<LateReplay> {
    const said = { user: '', agent: '' };
    const calls = new Set<string>();
    for await (const event of history) {
      if (event.type === 'tool_call') calls.add(event.toolCallId);
      else if (isSaid(event) && event.messageId !== exceptMessageId) said[event.speaker] += textOf(event);
    }
    return new LateReplay(said, calls);
  }

  /** Whether an event is told again. */
  takes(event: SessionEvent): boolean {
    if (this.#state === 'over') return false;
    const isKnown = this.#knows(event);
    if (isKnown === undefined) return false;
    if (this.#state === 'awaited' && !(isKnown && isSaid(event) && event.speaker === 'user')) this.#state = 'over';
    else this.#state = isKnown ? 'running' : 'over';
    return this.#state === 'running';
  }

  /** Undefined where an event tells nothing of the conversation. */
  #knows(event: SessionEvent): boolean | undefined {
    if (event.type === 'thought_chunk' || event.type === 'whole_thought') return this.#state === 'running';
    if (event.type === 'tool_call') return this.#calls.has(event.toolCallId);
    if (!isSaid(event)) return undefined;
    const text = textOf(event);
    if (!this.#left[event.speaker].startsWith(text)) return false;
    this.#left[event.speaker] = this.#left[event.speaker].slice(text.length);
    return text !== '';
  }
}

type Said = Extract<SessionEvent, { readonly type: 'message_chunk' | 'whole_message' }>;

function isSaid(event: SessionEvent): event is Said {
  return event.type === 'message_chunk' || event.type === 'whole_message';
}

function textOf(event: Said): string {
  const content = event.type === 'message_chunk' ? [event.content] : (event.content ?? []);
  return textOfContent(content);
}
