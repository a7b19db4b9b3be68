import { RpcError } from '@parley/jsonrpc';
import { type ContentBlock, detailsOfError } from '@parley/protocol';
import { summarizeTurn, type Transcript, type TranscriptEvent } from '@parley/session';
import type { Clock } from '../clock.ts';
import { UsageError } from '../errors.ts';
import type { ClientLimits } from '../limits.ts';
import type { CallOptions, Meta, PromptOutcome } from '../peer/agent-peer.ts';
import { NOTHING, PromptTurn, type Turn } from './prompt-turn.ts';

/** What running turns needs of a session. */
export interface TurnHost {
  readonly clock: Clock;
  readonly limits: ClientLimits;
  readonly transcript: Transcript;
  apply(event: TranscriptEvent): void;
  /** Called before a prompt is sent, which waits for the promise. */
  prepare(): Promise<void> | undefined;
  /** Sends the prompt; rejects with an error for people. */
  send(prompt: readonly ContentBlock[], options: CallOptions): Promise<PromptOutcome>;
  /** Tells the agent to stop, and answers its open questions with cancelled. */
  stop(meta: Meta | undefined): void;
}

export interface StartOptions {
  readonly mayQueue: boolean;
  readonly meta: Meta | undefined;
}

export interface CancelOptions {
  /** Leaves prompts that wait where they are. Default: they are dropped. */
  readonly keepQueue?: boolean;
  /** `_meta` of `session/cancel`. */
  readonly meta?: Meta | undefined;
}

/** Runs the prompts of a session one after the other; at most one at a time, as the specification wants. */
export class TurnRunner {
  readonly #host: TurnHost;
  readonly #queue: PromptTurn[] = [];
  #active: ActiveTurn | undefined;

  constructor(host: TurnHost) {
    this.#host = host;
  }

  get active(): PromptTurn | undefined {
    return this.#active?.turn;
  }

  get queued(): readonly Turn[] {
    return this.#queue;
  }

  start(prompt: readonly ContentBlock[], { mayQueue, meta }: StartOptions): Turn {
    const { limits } = this.#host;
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
    const { clock, limits } = this.#host;
    active.cancelGrace = clock.after(limits.cancelGraceMs, () => active.abandon.abort(GIVEN_UP));
    if (active.isSent) this.#host.stop(meta);
    this.#host.apply({ type: 'turn_cancelling' });
  }

  async #run(turn: PromptTurn): Promise<void> {
    const host = this.#host;
    const active: ActiveTurn = { turn, abandon: new AbortController(), isSent: false, isCancelling: false };
    this.#active = active;
    turn.state = 'running';
    host.apply({ type: 'turn_started', prompt: turn.prompt });
    const index = host.transcript.turns.length - 1;
    try {
      const prepared = host.prepare();
      if (prepared) await beforeSending(active, prepared);
      active.isSent = true;
      const outcome = await host.send(turn.prompt, { signal: active.abandon.signal, meta: turn.meta });
      host.apply({ type: 'turn_ended', ...outcome });
      turn.end({ ...outcome, summary: summarizeTurn(host.transcript, index) });
    } catch (error) {
      this.#endBadly(active, index, error);
    } finally {
      active.cancelGrace?.();
      this.#active = undefined;
      this.#runNext();
    }
  }

  /** A cancelled turn ends as cancelled, even where the agent wrongly answers it with an error, or not at all. */
  #endBadly({ turn, isCancelling }: ActiveTurn, index: number, error: unknown): void {
    const host = this.#host;
    const isForced = error === GIVEN_UP;
    if (isForced || error === NOT_SENT || (isCancelling && error instanceof RpcError)) {
      host.apply({ type: 'turn_ended', stopReason: 'cancelled' });
      return turn.end({ stopReason: 'cancelled', isForced, summary: summarizeTurn(host.transcript, index) });
    }
    host.apply({ type: 'turn_failed', error: describeFailure(error) });
    turn.fail(error);
  }

  #runNext(): void {
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
  /** Stops waiting for the agent; it is told with `$/cancel_request`. */
  readonly abandon: AbortController;
  isSent: boolean;
  isCancelling: boolean;
  cancelGrace?: () => void;
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
