import { assertNever, RpcError } from '@parley/jsonrpc';
import { type ContentBlock, detailsOfError } from '@parley/protocol';
import { summarizeTurn } from '@parley/session';
import { UsageError } from '../errors.ts';
import type { Meta, TurnEnd } from '../peer/agent-peer.ts';
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

  /** The agent has ended a turn. One that is not ours, since somebody else has prompted the session, ends none of ours. */
  end(end: TurnEnd): void {
    const active = this.#active;
    if (!active || end.turnId !== active.turn.id) return;
    if (end.type === 'turn_failed') return this.#endBadly(active, end.error);
    if (end.type !== 'turn_ended') return assertNever(end);
    const { stopReason, usage, meta } = end;
    const outcome = { stopReason, ...(usage && { usage }), ...(meta && { meta }) };
    this.#session.apply({ type: 'turn_ended', ...outcome });
    active.turn.end({ ...outcome, summary: summarizeTurn(this.#session.transcript, active.index) });
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
    if (active.isSent) connection.cancelTurn(id, meta);
    this.#session.apply({ type: 'turn_cancelling' });
  }

  /** Sends a prompt; `end` ends its turn, or an error here does. */
  async #run(turn: PromptTurn): Promise<void> {
    const session = this.#session;
    const abandon = new AbortController();
    const { signal } = abandon;
    const active: ActiveTurn = { turn, abandon, index: 0, isSent: false, isCancelling: false };
    this.#active = active;
    turn.state = 'running';
    session.apply({ type: 'turn_started', prompt: turn.prompt });
    active.index = session.transcript.turns.length - 1;
    try {
      const prepared = session.prepare();
      if (prepared) await beforeSending(active, prepared);
      active.isSent = true;
      active.stopWatching = session.connection.watchdog?.wait('session/prompt', session.id);
      await session.connection.sendPrompt(
        session.id,
        { turnId: turn.id, content: turn.prompt },
        { signal, meta: turn.meta },
      );
      if (active !== this.#active) return;
      // The agent works on it. Until it says that the turn has ended, only we can give it up.
      signal.throwIfAborted();
      signal.addEventListener('abort', () => this.#endBadly(active, signal.reason));
    } catch (error) {
      this.#endBadly(active, error);
    }
  }

  /** A cancelled turn ends as cancelled, even where the agent wrongly answers it with an error, or not at all. */
  #endBadly(active: ActiveTurn, error: unknown): void {
    if (active !== this.#active) return;
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

  #finish({ cancelGrace, stopWatching }: ActiveTurn): void {
    cancelGrace?.();
    stopWatching?.();
    this.#active = undefined;
    const next = this.#queue.shift();
    if (next) void this.#run(next);
  }
}

/** Agents often say only in the data what has happened. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const details = error instanceof RpcError ? detailsOfError(error) : undefined;
  return details === undefined ? error.message : `${error.message}: ${details}`;
}

interface ActiveTurn {
  readonly turn: PromptTurn;
  /** Which of the transcript's turns it is. */
  index: number;
  /** Stops waiting for the agent; it is told with `$/cancel_request`. */
  readonly abandon: AbortController;
  isSent: boolean;
  isCancelling: boolean;
  cancelGrace?: () => void;
  stopWatching?: (() => void) | undefined;
}

/** Why we no longer wait for a cancelled turn. */
const GIVEN_UP: unique symbol = Symbol('given up');
/** A turn that was cancelled before its prompt had been sent. */
const NOT_SENT: unique symbol = Symbol('not sent');

async function beforeSending(active: ActiveTurn, prepared: Promise<void>): Promise<void> {
  await prepared;
  active.abandon.signal.throwIfAborted();
  if (active.isCancelling) throw NOT_SENT;
}

function drop(turn: PromptTurn): void {
  turn.end({ stopReason: 'cancelled', summary: NOTHING });
}
