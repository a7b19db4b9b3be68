import type { Turn } from '@parley/agent';
import type { ModelEvent } from '@parley/models/model';
import { type NoticeMark, noticeMark } from '@parley/session';
import { notifyPerson } from './notify-person.ts';

type Retry = Extract<ModelEvent, { type: 'retry' }>;

/**
 * What the person is told of an answer that is asked for again and again: one line for it all, which says the latest where the
 * client can change what it shows, else one for each kind of trouble.
 */
export class RetryNotice {
  readonly #turn: Turn;
  #count = 0;
  #last: Retry | undefined;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  tell(retry: Retry): void | Promise<void> {
    const { error, attempt, delayMs } = retry;
    const before = this.#last;
    if (!before) this.#count++;
    this.#last = retry;
    const canChange = this.#canChange;
    if (!canChange && before?.error.code === error.code) return;
    const tries = attempt > 1 ? ` (tried ${attempt} times)` : '';
    const title = `${wordTrouble(retry)}; ${wordNext(retry)} in ${(delayMs / 1000).toFixed(1)} s${tries}`;
    return notifyPerson(this.#turn, {
      title,
      description: error.message,
      ...(canChange && { meta: this.#mark(true) }),
    });
  }

  /** The answer has come, or nobody waits for it any more. A turn that fails says why by itself. */
  close(isFailing = false): void {
    const last = this.#last;
    this.#last = undefined;
    if (!last || !this.#canChange || this.#turn.signal.aborted) return;
    const title = `${wordTrouble(last)}; it was asked for ${last.attempt + 1} times`;
    const description = isFailing ? undefined : last.error.message;
    void notifyPerson(this.#turn, { title, ...(description && { description }), meta: this.#mark(false) });
  }

  get #canChange(): boolean {
    const { notices, changingNotices } = this.#turn.client.offers;
    return notices && changingNotices;
  }

  #mark(isOpen: NoticeMark['isOpen']): Readonly<Record<string, unknown>> {
    return noticeMark({ id: `retry-${this.#turn.id}-${this.#count}`, isOpen });
  }
}

function wordTrouble({ hasShown }: Retry): string {
  return hasShown ? 'The answer broke off' : 'The model did not answer';
}

function wordNext({ hasShown }: Retry): string {
  return hasShown ? 'it begins anew' : 'trying again';
}
