import type { PhaseEvent } from '@parley/client';
import { wordPhase } from '../view/word-phase.ts';

/** What is being waited for before there is a session, with a time that goes on. */
export class PhaseWatch {
  #words: (() => string) | undefined;

  /** Undefined when nothing is waited for. */
  get words(): string | undefined {
    return this.#words?.();
  }

  begin(words: string): void {
    this.#words = () => words;
  }

  end(): void {
    this.#words = undefined;
  }

  /** Between two phases the last one stays, until there is a session. */
  follow(event: PhaseEvent, hasSession: boolean): void {
    if (event.status === 'started' || event.status === 'waiting') {
      const at = Date.now();
      this.#words = () => wordPhase({ ...event, elapsedMs: event.elapsedMs + Date.now() - at });
    } else if (event.status === 'failed' || hasSession) this.end();
  }
}
