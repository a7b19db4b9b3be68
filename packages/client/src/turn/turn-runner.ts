import { assertNever, TransportClosedError } from '@parley/jsonrpc';
import type { ContentBlock } from '@parley/protocol';
import type { SessionEvent, TranscriptEvent } from '@parley/session';
import { type UpdateError, UsageError } from '../errors.ts';
import type { Meta, TurnEnd } from '../peer/agent-peer.ts';
import {
  type ActiveTurn,
  beforeSending,
  beginTurn,
  CUT_OFF,
  countSaid,
  createActiveTurn,
  GIVEN_UP,
  loseTurn,
  lossOf,
  SENT,
} from './active-turn.ts';
import { PromptTurn } from './prompt-turn.ts';
import type { PromptingSession } from './prompting-session.ts';
import { SteeredTurns } from './steered-turns.ts';
import { SubagentWait } from './subagent-wait.ts';
import type { CancelOptions, Turn } from './turn.ts';
import { endAsTold, endBadly, endTurn } from './turn-endings.ts';

export interface StartOptions {
  readonly whenBusy: 'refuse' | 'queue' | 'steer';
  readonly meta: Meta | undefined;
}

/** Runs the prompts of a session one after the other; at most one at a time, as the specification wants. */
export class TurnRunner {
  readonly #session: PromptingSession;
  readonly #queue: PromptTurn[] = [];
  readonly #steered: SteeredTurns;
  readonly #subagents: SubagentWait;
  #active: ActiveTurn | undefined;
  /** A prompt was withdrawn that the agent may work on all the same, for a moment. */
  #mayBeBehind = false;
  /** The connection is lost, and may come back. */
  #isAway = false;

  constructor(session: PromptingSession) {
    this.#session = session;
    this.#subagents = new SubagentWait(session, {
      isCancelling: () => this.#active?.isCancelling === true,
      onWait: (what) => this.#watch(what),
      onEnd: (end) => this.#endAs(end),
    });
    this.#steered = new SteeredTurns({
      session,
      send: (active) => void this.#send(active),
      onBegin: (active) => {
        this.#active = active;
      },
      requeue: (turn) => this.#queue.unshift(turn),
      onEnd: () => this.#startNext(),
    });
  }

  get active(): PromptTurn | undefined {
    return this.#active?.turn;
  }

  /** The turn whose events are read: the one that runs, or one that somebody else's turn has taken. */
  get reader(): PromptTurn | undefined {
    return this.#active?.turn ?? this.#steered.reader;
  }

  get queued(): readonly Turn[] {
    return [...this.#steered.queued, ...this.#queue];
  }

  start(prompt: readonly ContentBlock[], { whenBusy, meta }: StartOptions): Turn {
    const { limits } = this.#session.connection;
    if (this.#isBusy && whenBusy === 'refuse') throw turnRunning();
    if (this.queued.length >= limits.maxQueuedPrompts) throw queueFull(limits.maxQueuedPrompts);
    const turn = new PromptTurn({
      prompt,
      meta,
      maxEvents: limits.maxTurnEvents,
      cancel: (cancelled, cancelMeta) => this.#cancelTurn(cancelled, cancelMeta),
    });
    if (whenBusy === 'steer' && this.#canSteer) this.#steered.steer(turn, this.#active);
    else if (this.#isBusy) this.#queue.push(turn);
    else void this.#run(turn);
    return turn;
  }

  /** Ends the running turn: first by asking, on a second call or after a grace time by no longer waiting. */
  async cancel({ keepQueue = false, meta }: CancelOptions = {}): Promise<void> {
    this.#queue.unshift(...this.#steered.takeUnsent());
    if (!keepQueue) for (const turn of this.#queue.splice(0)) turn.drop();
    // The agent drops what no turn has taken.
    this.#steered.giveBack(keepQueue);
    const turn = this.#active?.turn;
    if (!turn) return;
    this.#escalate(meta);
    await turn.result.catch(() => {});
  }

  /** Ends everything with an error: the session or the connection is gone. */
  fail(error: unknown): void {
    for (const turn of [...this.#steered.takeUnsent(), ...this.#queue.splice(0)]) turn.fail(error);
    this.#steered.failAll(error);
    this.#active?.abandon.abort(error);
  }

  /** The connection is lost, and with it the answer to the prompt. What the agent says of the turn afterwards counts. */
  suspend(error: unknown): void {
    this.#isAway = true;
    const active = this.#active;
    if (!active) return;
    if (active.progress.name === 'preparing') return this.fail(error);
    this.#subagents.drop();
    if (loseTurn(active, error, (reason) => this.#endBadly(active, reason))) this.#endAsTold(active);
  }

  /** The session is open again. `running` is the turn that the agent works on, as far as it says so. */
  restore(running: string | undefined): void {
    this.#isAway = false;
    this.#restoreActive(running);
    this.#steered.sendAgain();
  }

  #restoreActive(running: string | undefined): void {
    const active = this.#active;
    if (!active) return this.#startNext();
    if (active.progress.name === 'told') return this.#finish(active);
    if (active.progress.name !== 'lost') return;
    const { id, connection } = this.#session;
    const isRunning = running !== undefined && running === active.agentTurn.id;
    // Where nothing but answers arrives, only an answer can tell the end.
    const needsAnswer = active.sendsId && !active.isCancelling && !connection.carriesUpdates;
    if (!isRunning || needsAnswer) return this.#sendAgain(active);
    active.stopWatching = connection.watchdog?.wait('session/prompt', id);
    // What was said while nobody heard it.
    if (active.isCancelling) connection.cancelTurn(id, undefined);
  }

  /** What was lost does not come back, or `error` is the end of everything. */
  giveUp(error?: unknown): void {
    this.fail((this.#active && lossOf(this.#active)) ?? error);
    this.#isAway = false;
  }

  /** Looks at an event of the agent. True when it only tells how the turn is doing that our prompt began. */
  see(event: SessionEvent): boolean {
    if (this.#steered.see(event, this.#active?.turn)) return true;
    const active = this.#active;
    if (!active || active.progress.name === 'preparing' || !active.agentTurn.see(event)) return false;
    this.#endAsTold(active);
    return true;
  }

  /** Counts what the agent says in the turn that runs; throws when it is too much. */
  count(event: TranscriptEvent): void {
    if (this.#active) countSaid(this.#active, event, this.#session.connection.limits.maxTurnCharacters);
  }

  /** Something of the turn that runs could not be kept: the agent is stopped and the turn fails. False without a turn. */
  break(error: UpdateError): boolean {
    const active = this.#active;
    if (!active) return false;
    if (active.abandon.signal.aborted) return true;
    if (active.progress.name !== 'preparing' && !this.#isAway)
      this.#session.connection.cancelTurn(this.#session.id, undefined);
    active.abandon.abort(error);
    return true;
  }

  /** The agent has ended a turn. One that is not ours, since somebody else has prompted the session, ends none of ours. */
  end(end: TurnEnd): void {
    const active = this.#active;
    if (!active || end.promptId !== active.turn.promptId) return this.#steered.end(end);
    if (end.type === 'turn_ended' && this.#subagents.hold(end)) return;
    this.#endAs(end);
  }

  /** Processes an event after the transcript has it. */
  follow(event: SessionEvent): void {
    this.#subagents.see(event);
  }

  /** Names what the active turn waits for in reports of a silent agent. */
  #watch(what: string): void {
    const active = this.#active;
    if (!active) return;
    active.stopWatching?.();
    active.stopWatching = this.#session.connection.watchdog?.wait(what, this.#session.id);
  }

  #endAs(end: TurnEnd): void {
    const active = this.#active;
    if (!active) return;
    if (end.type === 'turn_failed') return this.#endBadly(active, end.error);
    if (end.type !== 'turn_ended') return assertNever(end);
    endTurn(this.#session, active, end);
    this.#finish(active);
  }

  #cancelTurn(turn: PromptTurn, meta: Meta | undefined): void {
    if (turn === this.#active?.turn) return this.#escalate(meta);
    const isWithdrawn = this.#steered.withdraw(turn);
    this.#mayBeBehind ||= isWithdrawn === true;
    if (isWithdrawn) return;
    // What the running turn has taken ends with that turn, whose ever it is.
    if (isWithdrawn === false && this.#active) return this.#escalate(meta);
    if (isWithdrawn === false) return this.#session.connection.cancelTurn(this.#session.id, meta);
    this.#steered.removeUnsent(turn);
    const place = this.#queue.indexOf(turn);
    if (place >= 0) this.#queue.splice(place, 1);
    turn.drop();
  }

  #escalate(meta: Meta | undefined): void {
    const active = this.#active;
    if (!active) return;
    if (active.isCancelling) return active.abandon.abort(GIVEN_UP);
    active.isCancelling = true;
    const { id, connection } = this.#session;
    active.cancelGrace = connection.clock.after(connection.limits.cancelGraceMs, () => active.abandon.abort(GIVEN_UP));
    if (active.progress.name !== 'preparing' && !this.#isAway) connection.cancelTurn(id, meta);
    this.#session.apply({ type: 'turn_cancelling' });
  }

  async #run(turn: PromptTurn): Promise<void> {
    const session = this.#session;
    const { sendsPromptIds, facts } = session.connection;
    // In version 2 the agent would put it into a turn that somebody else has begun meanwhile. In version 1 it would refuse the
    // prompt while it ends a turn that was withdrawn just when it began.
    const waits = facts.offers.steer && (facts.protocolVersion > 1 || this.#mayBeBehind);
    this.#mayBeBehind = false;
    const active = createActiveTurn(turn, { sendsId: sendsPromptIds, ...(waits && { whenBusy: 'queue' }) });
    this.#active = active;
    this.#subagents.begin();
    beginTurn(session, active);
    try {
      const prepared = session.prepare();
      if (prepared) await beforeSending(active, prepared);
      active.progress = SENT;
    } catch (error) {
      return this.#endBadly(active, error);
    }
    const sending = this.#send(active);
    this.#steered.sendUnsent();
    await sending;
  }

  /** Sends a prompt; `end` ends its turn, or an error here does. */
  async #send(active: ActiveTurn): Promise<void> {
    const { id, connection } = this.#session;
    const { turn, meta } = active;
    const { signal } = active.abandon;
    try {
      active.stopWatching = connection.watchdog?.wait('session/prompt', id);
      const isSteered = active !== this.#active;
      await connection.sendPrompt(id, { promptId: turn.promptId, content: turn.prompt, isSteered }, { signal, meta });
      if (active !== this.#active) return;
      // The agent works on it. Until it says that the turn has ended, only we can give it up.
      signal.throwIfAborted();
      signal.addEventListener('abort', () => {
        if (signal.reason !== CUT_OFF) this.#endBadly(active, signal.reason);
      });
    } catch (error) {
      if (active.progress.name !== 'sent' || signal !== active.abandon.signal) return;
      // The connection is lost, and about to be told so: a prompt with an id is sent again on the next.
      if (active.sendsId && error instanceof TransportClosedError) return;
      this.#endBadly(active, error);
    }
  }

  /** Asks for the end of a turn whose answer is lost: by its id the prompt runs once, however often it is sent. */
  #sendAgain(active: ActiveTurn): void {
    if (!active.sendsId || active.isCancelling) return this.giveUp();
    active.progress = SENT;
    active.abandon = new AbortController();
    void this.#send(active);
  }

  /**
   * Ends a turn whose answer was lost, once the agent has told its end. Whoever waits for it hears of that when the session
   * is open again, and can go on. A turn that was cancelled, and not by us, was so because we were gone.
   */
  #endAsTold(active: ActiveTurn): void {
    if (endAsTold(this.#session, active) && !this.#isAway) this.#finish(active);
  }

  /** A turn whose prompt was answered with an error, or not at all. */
  #endBadly(active: ActiveTurn, error: unknown): void {
    if (active !== this.#active) return this.#steered.fail(active, error);
    if (active.progress.name === 'told') return this.#finish(active);
    endBadly(this.#session, active, error);
    this.#finish(active);
  }

  #finish({ turn, cancelGrace, stopWatching, progress }: ActiveTurn): void {
    this.#subagents.drop();
    cancelGrace?.();
    stopWatching?.();
    if (progress.name === 'told') progress.tellEnd();
    this.#active = undefined;
    this.#queue.unshift(...this.#steered.takeUnsent());
    this.#steered.endWith(turn);
    if (!this.#steered.receiveHeld()) this.#startNext();
  }

  #startNext(): void {
    const next = this.#isAway || this.#isBusy ? undefined : this.#queue.shift();
    if (next) void this.#run(next);
  }

  /** Whether a turn of ours runs, or is about to: what was sent into a turn that has ended since is the next. */
  get #isBusy(): boolean {
    return this.#active !== undefined || this.#steered.waiting.length > 0;
  }

  get #canSteer(): boolean {
    const { connection, state } = this.#session;
    if (!connection.facts.offers.steer || this.#isAway || this.#active?.isCancelling) return false;
    return this.#isBusy || state === 'running' || state === 'waiting';
  }
}

function turnRunning(): UsageError {
  const message = "The agent is still working on the last prompt. Wait, cancel, or prompt with { whenBusy: 'queue' }.";
  return new UsageError('turn_running', message);
}

function queueFull(maxQueuedPrompts: number): UsageError {
  return new UsageError('queue_full', `${maxQueuedPrompts} prompts are waiting already; wait for one of them.`);
}
