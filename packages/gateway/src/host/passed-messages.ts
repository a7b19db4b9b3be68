import type { Turn } from '@parley/agent';
import type { ClientSession } from '@parley/client';
import type { TranscriptEvent } from '@parley/session';

/**
 * What the person says while a turn runs, on its way to the agent that is hosted. Our log has it as soon as it is passed on. If the
 * agent makes a turn of its own of it, that is part of ours.
 */
export class PassedMessages {
  readonly #answered: Promise<unknown>[] = [];
  readonly #stopListening: () => void;

  constructor(turn: Turn, session: ClientSession) {
    const pass = (): void => {
      for (const { content } of turn.takeMessages())
        this.#answered.push(session.prompt([...content], { whenBusy: 'steer' }).result);
    };
    this.#stopListening = turn.onMessage(pass);
    pass();
  }

  /** Whether an event tells again what was passed on. */
  hasTold(event: TranscriptEvent): boolean {
    if (this.#answered.length === 0) return false;
    return (event.type === 'message_chunk' || event.type === 'whole_message') && event.speaker === 'user';
  }

  /** Resolves when the agent has ended all that it was told; rejects when it failed at something. */
  async whenAnswered(): Promise<void> {
    for (let answered = 0; answered < this.#answered.length; answered++) await this.#answered[answered];
  }

  close(): void {
    this.#stopListening();
    for (const each of this.#answered) each.catch(() => {});
  }
}
