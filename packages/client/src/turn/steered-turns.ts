import { RpcError } from '@parley/jsonrpc';
import { isSteered, promptMessageId, type SessionEvent, type StateEvent, summarizeFrom } from '@parley/session';
import type { TurnEnd } from '../peer/agent-peer.ts';
import { type ActiveTurn, beginTurn, createActiveTurn, SENT, WITHDRAWN } from './active-turn.ts';
import { NOTHING, type PromptTurn } from './prompt-turn.ts';
import type { PromptingSession } from './prompting-session.ts';

export interface SteeredTurnsOptions {
  readonly session: PromptingSession;
  /** Sends the prompt; its answer comes back to `end` or `fail`. */
  readonly send: (active: ActiveTurn) => void;
  /** No turn took the prompt: it begins one by itself, which is the turn that runs. */
  readonly onBegin: (active: ActiveTurn) => void;
  /** Has a prompt wait for a turn of its own, before all others. */
  readonly requeue: (turn: PromptTurn) => void;
  /** One fewer is under way. */
  readonly onEnd: () => void;
}

interface Steered {
  readonly active: ActiveTurn;
  /** Where in the transcript it was taken by the turn that runs; undefined while it waits for that. */
  position: number | undefined;
  /** The turn that ran was cancelled, and the agent drops what waits: whether it then waits here for a turn of its own. */
  isKept?: boolean;
}

/** The prompts that were sent into running turns, until each is answered or has become a turn by itself. */
export class SteeredTurns {
  readonly #options: SteeredTurnsOptions;
  #all: readonly Steered[] = [];
  /** Prompts for the turn that runs, whose own prompt is about to be sent. */
  #unsent: readonly PromptTurn[] = [];
  /** Events of the next turn, for as long as the answer is awaited that ends the one before it. */
  #held: SessionEvent[] | undefined;

  constructor(options: SteeredTurnsOptions) {
    this.#options = options;
  }

  /** Those that no turn has taken, oldest first. */
  get waiting(): PromptTurn[] {
    return this.#all.flatMap(({ active, position }) => (position === undefined ? [active.turn] : []));
  }

  /** Those that no turn has taken, and those that are not sent yet. */
  get queued(): PromptTurn[] {
    return [...this.waiting, ...this.#unsent];
  }

  /** Reads the events of a turn that somebody else began, and that has taken a prompt of ours. */
  get reader(): PromptTurn | undefined {
    return this.#joined[0]?.active.turn;
  }

  /** Sends a prompt into the turn that runs, be it ours or not; behind the prompt of that turn, if that is not sent yet. */
  steer(turn: PromptTurn, running: ActiveTurn | undefined): void {
    if (running?.progress.name === 'preparing') this.#unsent = [...this.#unsent, turn];
    else this.#send(turn);
  }

  /** The prompt of the turn that runs is sent. */
  sendUnsent(): void {
    for (const turn of this.takeUnsent()) this.#send(turn);
  }

  takeUnsent(): readonly PromptTurn[] {
    const unsent = this.#unsent;
    this.#unsent = [];
    return unsent;
  }

  removeUnsent(turn: PromptTurn): void {
    this.#unsent = this.#unsent.filter((each) => each !== turn);
  }

  /** The connection is there again. By its id a prompt that the agent has is not taken twice. */
  sendAgain(): void {
    for (const { active, position } of this.#all) {
      if (position !== undefined) continue;
      active.abandon = new AbortController();
      this.#options.send(active);
    }
  }

  /** Looks at an event while a turn of ours runs, or none. True when it is not to be applied now. */
  see(event: SessionEvent, running: PromptTurn | undefined): boolean {
    if (this.#held) return this.#held.push(event) > 0;
    const begun = this.#all.length > 0 ? this.#findBegun(event, running) : undefined;
    if (!begun) return false;
    // The end of the turn before it is known, and comes with the answer to its prompt.
    if (running) this.#held = [event];
    else this.#begin(begun);
    return this.#held !== undefined || event.type === 'state';
  }

  /** The turn that ran has ended. True when events of the next were held back, which the session receives now. */
  receiveHeld(): boolean {
    const held = this.#held;
    this.#held = undefined;
    for (const event of held ?? []) this.#options.session.receive(event);
    return held !== undefined;
  }

  /** The turn that has taken some of them has ended. */
  endWith({ result }: PromptTurn): void {
    for (const joined of this.#joined) {
      const summary = this.#remove(joined);
      const { turn } = joined.active;
      result.then(
        ({ stopReason, isForced }) => turn.end({ stopReason, isForced, summary }),
        (error: unknown) => turn.fail(error),
      );
    }
  }

  /** A prompt has its answer. */
  end(end: TurnEnd): void {
    const steered = this.#all.find(({ active }) => active.turn.promptId === end.promptId);
    if (!steered) return;
    const summary = this.#remove(steered);
    const { turn } = steered.active;
    if (end.type === 'turn_failed') turn.fail(end.error);
    else if (steered.position === undefined && end.stopReason === 'cancelled') this.#drop(steered);
    else turn.end({ stopReason: end.stopReason, summary });
    this.#options.onEnd();
  }

  /** A prompt has no answer, or an error for one. */
  fail(active: ActiveTurn, error: unknown): void {
    const steered = this.#all.find((each) => each.active === active);
    // One that was taken before the agent heard that it is withdrawn ends with the turn that has it.
    if (!steered || (error === WITHDRAWN && steered.position !== undefined)) return;
    this.#remove(steered);
    if (error === WITHDRAWN) active.turn.drop();
    else if (steered.position === undefined && steered.isKept !== undefined) this.#drop(steered);
    else active.turn.fail(error);
    this.#options.onEnd();
  }

  /** The turn that runs is cancelled, and with it goes what waits. */
  giveBack(isKept: boolean): void {
    for (const each of this.#all) each.isKept = isKept;
  }

  /** Takes one back. False when the running turn has taken it, with which it ends; undefined when it is none of these. */
  withdraw(turn: PromptTurn): boolean | undefined {
    const steered = this.#all.find(({ active }) => active.turn === turn);
    if (steered?.position === undefined) steered?.active.abandon.abort(WITHDRAWN);
    return steered && steered.position === undefined;
  }

  failAll(error: unknown): void {
    for (const each of this.#all) {
      this.#remove(each);
      each.active.abandon.abort(error);
      each.active.turn.fail(error);
    }
  }

  #send(turn: PromptTurn): void {
    turn.state = 'steering';
    const active = createActiveTurn(turn, { sendsId: true, whenBusy: 'steer' });
    active.progress = SENT;
    this.#all = [...this.#all, { active, position: undefined }];
    this.#options.send(active);
  }

  get #joined(): Steered[] {
    return this.#all.filter(({ position }) => position !== undefined);
  }

  /** Returns the prompt that is a turn by itself, if the event begins that turn. Notes what the running turn has taken. */
  #findBegun(event: SessionEvent, running: PromptTurn | undefined): ActiveTurn | undefined {
    if (event.type === 'state') {
      if (event.state === 'idle' && !running) this.#endForeign(event);
      return event.state === 'running' ? this.#find((promptId) => promptId === event.turnId)?.active : undefined;
    }
    if (event.type !== 'message_chunk' || event.speaker !== 'user') return undefined;
    const said = this.#find((promptId) => promptMessageId(promptId) === event.messageId);
    if (!said || said.position !== undefined) return undefined;
    if (!isSteered(event)) return said.active;
    const reader = running ?? this.reader;
    said.position = this.#options.session.transcript.entries.length;
    said.active.turn.state = 'running';
    reader?.joined.push(said.active.turn);
    return undefined;
  }

  /** No turn took the prompt, so it is a turn by itself. */
  #begin(active: ActiveTurn): void {
    const { session, onBegin } = this.#options;
    const { turn } = active;
    this.#release(active);
    onBegin(active);
    beginTurn(session, active);
    session.connection.promptBegins(session.id, { promptId: turn.promptId, content: turn.prompt });
  }

  #find(isIt: (promptId: string) => boolean): Steered | undefined {
    return this.#all.find(({ active }) => isIt(active.turn.promptId));
  }

  /** Somebody else's turn has ended. */
  #endForeign({ stopReason = 'end_turn', error }: StateEvent): void {
    for (const joined of this.#joined) {
      const summary = this.#remove(joined);
      if (error) joined.active.turn.fail(new RpcError(error.code, error.message));
      else joined.active.turn.end({ stopReason, summary });
    }
    this.#options.onEnd();
  }

  #drop({ active: { turn }, isKept }: Steered): void {
    if (!isKept) return turn.drop();
    turn.requeue();
    this.#options.requeue(turn);
  }

  /** Returns what came of it since it was taken. */
  #remove({ active, position }: Steered): ReturnType<typeof summarizeFrom> {
    active.stopWatching?.();
    this.#release(active);
    return position === undefined ? NOTHING : summarizeFrom(this.#options.session.transcript, position);
  }

  #release(active: ActiveTurn): void {
    this.#all = this.#all.filter((each) => each.active !== active);
  }
}
