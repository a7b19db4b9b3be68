import type { StateEvent } from '@parley/session';
import { LogFailedError, TurnAbortError } from '../../errors.ts';

interface Known {
  state: StateEvent['state'];
  turnId: string | undefined;
  /** Questions that the client has not answered. */
  open: number;
  /** What is told now is the past. */
  isReplaying: boolean;
}

/**
 * What one client was told its sessions are doing. Turns begin and end in the log; that a turn waits for an answer follows from
 * what this client is asked.
 */
export class SessionStates {
  readonly #sessions = new Map<string, Known>();
  readonly #publish: (sessionId: string, state: StateEvent) => void;

  constructor(publish: (sessionId: string, state: StateEvent) => void) {
    this.#publish = publish;
  }

  /** False when the client need not hear of it: it is told the past. */
  see(sessionId: string, { state, turnId }: StateEvent): boolean {
    const known = this.#of(sessionId);
    known.state = state;
    known.turnId = turnId;
    return !known.isReplaying;
  }

  /** Tells a state, which is the current one. */
  set(sessionId: string, state: StateEvent): void {
    const known = this.#of(sessionId);
    known.isReplaying = false;
    this.see(sessionId, state);
    this.#publish(sessionId, state);
  }

  /** A turn is over; tells so where the client has not heard it. */
  ensureIdle(sessionId: string, state: StateEvent): void {
    const known = this.#sessions.get(sessionId);
    if (known && known.state !== 'idle' && known.turnId === state.turnId) this.set(sessionId, state);
  }

  forget(sessionId: string, isReplaying: boolean): void {
    if (isReplaying) Object.assign(this.#of(sessionId), { state: 'idle', turnId: undefined, isReplaying });
    else this.#sessions.delete(sessionId);
  }

  /** The client is asked something: the turn waits for it. Returns what ends that. */
  block(sessionId: string, signal: AbortSignal | undefined): () => void {
    const known = this.#of(sessionId);
    known.open += 1;
    if (known.state === 'running') this.set(sessionId, stateOf('requires_action', known));
    return () => {
      known.open -= 1;
      if (known.open > 0 || known.state !== 'requires_action') return;
      const reason: unknown = signal?.aborted ? signal.reason : undefined;
      // The turn does not go on; its end is told next.
      if (reason instanceof LogFailedError || (reason instanceof TurnAbortError && endsTurn(reason))) return;
      this.set(sessionId, stateOf('running', known));
    };
  }

  #of(sessionId: string): Known {
    let known = this.#sessions.get(sessionId);
    if (!known) {
      known = { state: 'idle', turnId: undefined, open: 0, isReplaying: false };
      this.#sessions.set(sessionId, known);
    }
    return known;
  }
}

function endsTurn({ code }: TurnAbortError): boolean {
  return code === 'turn_cancelled' || code === 'turn_ended';
}

function stateOf(state: StateEvent['state'], { turnId }: Known): StateEvent {
  return { type: 'state', state, ...(turnId !== undefined && { turnId }) };
}
