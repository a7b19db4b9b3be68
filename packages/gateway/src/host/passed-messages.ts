import type { Turn } from '@parley/agent';
import type { ClientSession } from '@parley/client';
import type { TranscriptEvent } from '@parley/session';

/**
 * What the person says while a turn runs, on its way to the agent that is hosted. Our log has it where the agent takes it. If the
 * agent makes a turn of its own of it, that is part of ours.
 */
export class PassedMessages {
  readonly #turn: Turn;
  readonly #sent = new Set<string>();
  readonly #answered: Promise<unknown>[] = [];
  readonly #stopListening: () => void;

  constructor(turn: Turn, session: ClientSession) {
    this.#turn = turn;
    const pass = (): void => {
      for (const { id, content } of turn.messages) {
        if (this.#sent.has(id)) continue;
        this.#sent.add(id);
        this.#answered.push(session.prompt([...content], { whenBusy: 'steer' }).result);
      }
    };
    this.#stopListening = turn.onMessage(pass);
    pass();
  }

  /** Whether an event tells again what was passed on: the agent has taken it. */
  hasTold(event: TranscriptEvent): boolean {
    if (this.#sent.size === 0) return false;
    const isTold = (event.type === 'message_chunk' || event.type === 'whole_message') && event.speaker === 'user';
    if (isTold) this.take();
    return isTold;
  }

  /** Everything that was passed on is part of the turn from now on. */
  take(): void {
    if (this.#sent.size > 0) this.#turn.takeMessages();
  }

  /** Resolves when the agent has ended all that it was told; rejects when it failed at something. */
  async whenAnswered(): Promise<void> {
    for (let answered = 0; answered < this.#answered.length; answered++) await this.#answered[answered];
    this.take();
  }

  close(): void {
    this.#stopListening();
    for (const each of this.#answered) each.catch(() => {});
  }
}
