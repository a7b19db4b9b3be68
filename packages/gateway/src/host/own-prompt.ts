import type { Turn } from '@parley/agent';
import { promptMessageId, type SessionEvent } from '@parley/session';

type Content = Turn['content'];

/**
 * The prompt of the turn that runs. Our log has it already when the agent hears of it; an agent of version 2 tells it once more,
 * under a name of its own, and may say more about it by that name later.
 */
export class OwnPrompt {
  readonly #messageId: string;
  readonly #content: string;
  #foreignId: string | undefined;

  constructor(turnId: string, content: Content) {
    this.#messageId = promptMessageId(turnId);
    this.#content = JSON.stringify(content);
  }

  /** The event as our log takes it; undefined for the prompt that comes back. */
  read<Event extends SessionEvent>(event: Event): Event | undefined {
    if (event.type !== 'whole_message' || event.speaker !== 'user') return event;
    if (this.#foreignId === undefined && JSON.stringify(event.content) === this.#content) {
      this.#foreignId = event.messageId;
      return undefined;
    }
    return event.messageId === this.#foreignId ? { ...event, messageId: this.#messageId } : event;
  }
}
