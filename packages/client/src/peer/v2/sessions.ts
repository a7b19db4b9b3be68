import { RpcError } from '@parley/jsonrpc';
import type { SessionEvent, StateEvent } from '@parley/session';
import { TerminalTexts } from '@parley/session/v2';
import type { TurnEnd } from '../agent-peer.ts';
import type { ClientDuties } from '../client-duties.ts';
import { isUserMessage, PromptWatch } from './prompt-watch.ts';

/** Sessions that are remembered at a time. An agent may tell of more than it has; the oldest is forgotten then. */
const MAX_SESSIONS = 10_000;

/** What this side of a connection to a version 2 agent has to remember of each session, as long as it is open. */
export class V2Sessions {
  readonly #duties: Pick<ClientDuties, 'onEvent' | 'onTurnEnd'>;
  readonly #sessions = new Map<string, V2Session>();

  constructor(duties: Pick<ClientDuties, 'onEvent' | 'onTurnEnd'>) {
    this.#duties = duties;
  }

  of(sessionId: string): V2Session {
    return this.#sessions.get(sessionId) ?? this.#add(sessionId);
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #add(sessionId: string): V2Session {
    if (this.#sessions.size >= MAX_SESSIONS) {
      const [oldest] = this.#sessions.keys();
      if (oldest !== undefined) this.#sessions.delete(oldest);
    }
    const session = new V2Session(sessionId, this.#duties);
    this.#sessions.set(sessionId, session);
    return session;
  }
}

export class V2Session {
  readonly watch: PromptWatch;
  readonly terminals: TerminalTexts = new TerminalTexts();
  /** What the session is doing, as the agent has told it last. */
  state: StateEvent | undefined;
  readonly #forward: (event: SessionEvent, cursor?: number) => void;
  /** The highest number of an event that was passed on. */
  #cursor = -1;

  constructor(sessionId: string, duties: Pick<ClientDuties, 'onEvent' | 'onTurnEnd'>) {
    this.#forward = (event, cursor) => {
      // What was held back comes behind events with higher numbers, and must not take the session back to its own.
      const isAhead = cursor !== undefined && cursor > this.#cursor;
      if (isAhead) this.#cursor = cursor;
      duties.onEvent(sessionId, event, isAhead ? cursor : undefined);
    };
    this.watch = new PromptWatch({
      onEvent: this.#forward,
      onEnd: (promptId, idle) => duties.onTurnEnd(sessionId, turnEnd(promptId, idle)),
    });
  }

  see(event: SessionEvent, cursor: number | undefined): void {
    if (event.type === 'state') return this.#seeState(event, cursor);
    if (isUserMessage(event)) return this.watch.seeUserMessage(event, cursor);
    this.#forward(event, cursor);
    // A state that nobody knows is none in which the session is idle.
    if (event.type === 'unknown' && event.variant === 'state_update')
      this.#seeState({ type: 'state', state: 'running' });
  }

  #seeState(event: StateEvent, cursor?: number): void {
    this.state = event;
    this.watch.seeState(event, cursor);
  }
}

const UNKNOWN_FAILURE: NonNullable<StateEvent['error']> = {
  code: -32603,
  message: 'The agent says that the turn failed, and not why.',
};

/** An idle state says how a turn ended; without a reason it ended as turns do. */
function turnEnd(promptId: string, idle: StateEvent): TurnEnd {
  const { stopReason = 'end_turn', error, tokens, meta } = idle;
  if (stopReason === 'error') {
    const { code, message, data } = error ?? UNKNOWN_FAILURE;
    return { type: 'turn_failed', promptId, error: new RpcError(code, message, data) };
  }
  const usage = tokens && { totalTokens: tokens.inputTokens + tokens.outputTokens, ...tokens };
  const hasTurnId = idle.turnId !== undefined;
  return { type: 'turn_ended', promptId, stopReason, hasTurnId, ...(usage && { usage }), ...(meta && { meta }) };
}
