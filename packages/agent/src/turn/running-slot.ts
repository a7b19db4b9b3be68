import { errorOfKind } from '@parley/protocol';
import type { TurnInProgress } from './turn-session.ts';

/** The place for the one turn that may run in a session. */
export class RunningSlot {
  readonly #sessionId: string;
  #turn: TurnInProgress | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  get turn(): TurnInProgress | undefined {
    return this.#turn;
  }

  /** Resolves when the turn that runs now has ended. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** Makes `turn` the one that runs; refuses a second. Returns what must be called when it has ended. */
  take(turn: TurnInProgress): () => void {
    if (this.#turn) {
      throw errorOfKind('invalid_session_state', {
        message: 'A turn is already running in this session; wait until it ends, or cancel it.',
        data: { sessionId: this.#sessionId },
      });
    }
    let onEnd = (): void => {};
    this.#ended = new Promise<void>((resolve) => {
      onEnd = resolve;
    });
    this.#turn = turn;
    return () => {
      this.#turn = undefined;
      onEnd();
    };
  }
}
