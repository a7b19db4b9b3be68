import { assertNever, RpcError, TransportClosedError } from '@parley/jsonrpc';
import { type ContentBlock, detailsOfError } from '@parley/protocol';
import { type SessionEvent, summarizeTurn } from '@parley/session';
import { UsageError } from '../errors.ts';
import type { Meta, TurnEnd } from '../peer/agent-peer.ts';
import { type ActiveTurn, CUT_OFF, createActiveTurn, GIVEN_UP, NOT_SENT } from './active-turn.ts';
import { NOTHING, PromptTurn } from './prompt-turn.ts';
import type { PromptingSession } from './prompting-session.ts';
import type { CancelOptions, Turn } from './turn.ts';

export interface StartOptions {
  readonly mayQueue: boolean;
  readonly meta: Meta | undefined;
}

/** Runs the prompts of a session one after the other; at most one at a time, as the specification wants. */
export class TurnRunner {
  readonly #session: PromptingSession;
  readonly #queue: PromptTurn[] = [];
  #active: ActiveTurn | undefined;
  /** The connection is lost, and may come back. */
  #isAway = false;

  constructor(session: PromptingSession) {
    this.#session = session;
  }

  get active(): PromptTurn | undefined {
    return this.#active?.turn;
  }

  get queued(): readonly Turn[] {
    return this.#queue;
  }

  start(prompt: readonly ContentBlock[], { mayQueue, meta }: StartOptions): Turn {
    const { limits } = this.#session.connection;
    if (this.#active && !mayQueue) {
      throw new UsageError(
        'turn_running',
        'The agent is still working on the last prompt. Wait, cancel, or prompt with { queue: true }.',
      );
    }
    if (this.#queue.length >= limits.maxQueuedPrompts) {
      throw new UsageError(
        'queue_full',
        `${limits.maxQueuedPrompts} prompts are waiting already; wait for one of them.`,
      );
    }
    const turn = new PromptTurn({
      prompt,
      meta,
      maxEvents: limits.maxTurnEvents,
      cancel: (cancelled, cancelMeta) => this.#cancelTurn(cancelled, cancelMeta),
    });
    if (this.#active) this.#queue.push(turn);
    else void this.#run(turn);
    return turn;
  }

  /** Ends the running turn: first by asking, on a second call or after a grace time by no longer waiting. */
  async cancel({ keepQueue = false, meta }: CancelOptions = {}): Promise<void> {
    if (!keepQueue) for (const turn of this.#queue.splice(0)) drop(turn);
    const turn = this.#active?.turn;
    if (!turn) return;
    this.#escalate(meta);
    await turn.result.catch(() => {});
  }

  /** Ends everything with an error: the session or the connection is gone. */
  fail(error: unknown): void {
    for (const turn of this.#queue.splice(0)) turn.fail(error);
    this.#active?.abandon.abort(error);
  }

  /** The connection is lost, and with it the answer to the prompt. What the agent says of the turn afterwards counts. */
  suspend(error: unknown): void {
    this.#isAway = true;
    const active = this.#active;
    if (!active) return;
    if (!active.isSent) return this.fail(error);
    const isFirst = active.lost === undefined;
    active.lost = { error };
    active.stopWatching?.();
    if (!isFirst) return;
    active.abandon.abort(CUT_OFF);
    active.abandon = new AbortController();
    const { signal } = active.abandon;
    signal.addEventListener('abort', () => this.#endBadly(active, signal.reason));
    this.#endAsTold(active);
  }

  /** The session is open again. `running` is the turn that the agent works on, as far as it says so. */
  restore(running: string | undefined): void {
    this.#isAway = false;
    const active = this.#active;
    if (!active) return this.#startNext();
    if (active.tellEnd) return this.#finish(active);
    if (!active.lost) return;
    if (running === undefined || running !== active.agentTurn.id) return this.#sendAgain(active);
    const { id, connection } = this.#session;
    active.stopWatching = connection.watchdog?.wait('session/prompt', id);
    // What was said while nobody heard it.
    if (active.isCancelling) connection.cancelTurn(id, undefined);
  }

  /** What was lost does not come back, or `error` is the end of everything. */
  giveUp(error?: unknown): void {
    this.fail(this.#active?.lost?.error ?? error);
    this.#isAway = false;
  }

  /** Looks at an event of the agent. True when it only tells how the turn is doing that our prompt began. */
  see(event: SessionEvent): boolean {
    const active = this.#active;
    if (!active?.isSent || !active.agentTurn.see(event)) return false;
    if (active.lost) this.#endAsTold(active);
    return true;
  }

  /** The agent has ended a turn. One that is not ours, since somebody else has prompted the session, ends none of ours. */
  end(end: TurnEnd): void {
    const active = this.#active;
    if (!active || end.turnId !== active.turn.id) return;
    if (end.type === 'turn_failed') return this.#endBadly(active, end.error);
    if (end.type !== 'turn_ended') return assertNever(end);
    const { stopReason, usage, meta, extra } = end;
    const outcome = { stopReason, ...(usage && { usage }), ...(meta && { meta }) };
    this.#session.apply({ type: 'turn_ended', ...outcome });
    active.turn.end({ ...outcome, extra, summary: summarizeTurn(this.#session.transcript, active.index) });
    this.#finish(active);
  }

  #cancelTurn(turn: PromptTurn, meta: Meta | undefined): void {
    if (turn === this.#active?.turn) return this.#escalate(meta);
    const place = this.#queue.indexOf(turn);
    if (place >= 0) this.#queue.splice(place, 1);
    drop(turn);
  }

  #escalate(meta: Meta | undefined): void {
    const active = this.#active;
    if (!active) return;
    if (active.isCancelling) return active.abandon.abort(GIVEN_UP);
    active.isCancelling = true;
    const { id, connection } = this.#session;
    active.cancelGrace = connection.clock.after(connection.limits.cancelGraceMs, () => active.abandon.abort(GIVEN_UP));
    if (active.isSent && !this.#isAway) connection.cancelTurn(id, meta);
    this.#session.apply({ type: 'turn_cancelling' });
  }

  async #run(turn: PromptTurn): Promise<void> {
    const session = this.#session;
    const active = createActiveTurn(turn, session.connection.namesPrompts);
    this.#active = active;
    turn.state = 'running';
    session.apply({ type: 'turn_started', prompt: turn.prompt });
    active.index = session.transcript.turns.length - 1;
    try {
      const prepared = session.prepare();
      if (prepared) await beforeSending(active, prepared);
      active.isSent = true;
    } catch (error) {
      return this.#endBadly(active, error);
    }
    await this.#send(active);
  }

  /** Sends a prompt; `end` ends its turn, or an error here does. */
  async #send(active: ActiveTurn): Promise<void> {
    const { id, connection } = this.#session;
    const { turn, meta } = active;
    const { signal } = active.abandon;
    try {
      active.stopWatching = connection.watchdog?.wait('session/prompt', id);
      await connection.sendPrompt(id, { turnId: turn.id, content: turn.prompt }, { signal, meta });
      if (active !== this.#active) return;
      // The agent works on it. Until it says that the turn has ended, only we can give it up.
      signal.throwIfAborted();
      signal.addEventListener('abort', () => {
        if (signal.reason !== CUT_OFF) this.#endBadly(active, signal.reason);
      });
    } catch (error) {
      if (active.lost || signal !== active.abandon.signal) return;
      // The connection is lost, and about to be told so: a prompt with a name is sent again on the next.
      if (active.isNamed && error instanceof TransportClosedError) return;
      this.#endBadly(active, error);
    }
  }

  /** The agent has not begun the turn, or has ended it and not told us: by its name the prompt runs once, however often it is sent. */
  #sendAgain(active: ActiveTurn): void {
    if (!active.isNamed || active.isCancelling) return this.giveUp();
    delete active.lost;
    active.abandon = new AbortController();
    void this.#send(active);
  }

  /**
   * Ends a turn whose answer was lost, once the agent has told its end. Whoever waits for it hears of that when the session
   * is open again, and can go on. A turn that was cancelled, and not by us, was so because we were gone.
   */
  #endAsTold(active: ActiveTurn): void {
    const { turn, index, isCancelling, lost, agentTurn } = active;
    if (!agentTurn.end || active.tellEnd) return;
    const { stopReason = 'end_turn', error } = agentTurn.end;
    const session = this.#session;
    const failure = error
      ? new RpcError(error.code, error.message)
      : stopReason === 'cancelled' && !isCancelling && lost?.error;
    if (failure && !isCancelling) {
      session.apply({ type: 'turn_failed', error: describeFailure(failure) });
      active.tellEnd = () => turn.fail(failure);
    } else {
      const reason = error ? 'cancelled' : stopReason;
      session.apply({ type: 'turn_ended', stopReason: reason });
      const summary = summarizeTurn(session.transcript, index);
      active.tellEnd = () => turn.end({ stopReason: reason, summary });
    }
    if (!this.#isAway) this.#finish(active);
  }

  /** A cancelled turn ends as cancelled, even where the agent wrongly answers it with an error, or not at all. */
  #endBadly(active: ActiveTurn, error: unknown): void {
    if (active !== this.#active) return;
    if (active.tellEnd) return this.#finish(active);
    const session = this.#session;
    const { turn, index, isCancelling } = active;
    const isForced = error === GIVEN_UP;
    if (isForced || error === NOT_SENT || (isCancelling && error instanceof RpcError)) {
      session.apply({ type: 'turn_ended', stopReason: 'cancelled' });
      turn.end({ stopReason: 'cancelled', isForced, summary: summarizeTurn(session.transcript, index) });
    } else {
      session.apply({ type: 'turn_failed', error: describeFailure(error) });
      turn.fail(error);
    }
    this.#finish(active);
  }

  #finish({ cancelGrace, stopWatching, tellEnd }: ActiveTurn): void {
    cancelGrace?.();
    stopWatching?.();
    tellEnd?.();
    this.#active = undefined;
    this.#startNext();
  }

  #startNext(): void {
    const next = this.#isAway ? undefined : this.#queue.shift();
    if (next) void this.#run(next);
  }
}

/** Agents often say only in the data what has happened. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const details = error instanceof RpcError ? detailsOfError(error) : undefined;
  return details === undefined ? error.message : `${error.message}: ${details}`;
}

async function beforeSending(active: ActiveTurn, prepared: Promise<void>): Promise<void> {
  await prepared;
  active.abandon.signal.throwIfAborted();
  if (active.isCancelling) throw NOT_SENT;
}

function drop(turn: PromptTurn): void {
  turn.end({ stopReason: 'cancelled', summary: NOTHING });
}
