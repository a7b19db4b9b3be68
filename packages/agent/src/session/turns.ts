import { errorOfKind, textOfContent } from '@parley/protocol';
import {
  type LogEntry,
  promptEvents,
  queuedPrompts,
  type SessionEvent,
  steeredEvents,
  type TurnEnded,
} from '@parley/session';
import type { SharedLog } from '@parley/session/log';
import type { ClientPeer } from '../contract/client-peer.ts';
import type { AgentDefinition } from '../contract/definition.ts';
import type { UserMessage } from '../contract/turn.ts';
import { TurnInterruptedError } from '../errors.ts';
import type { Prompt } from '../turn/prompt.ts';
import { readCommand } from '../turn/prompt-text.ts';
import { runTurn, type TurnOutcome } from '../turn/run-turn.ts';
import { RunningTurn } from '../turn/running-turn.ts';
import type { TurnInProgress, TurnPlace, TurnRecords, TurnSession } from '../turn/turn-session.ts';
import { AskedPrompts } from './asked-prompts.ts';
import { nextPrompt } from './next-prompt.ts';
import { type TakenPrompt, WaitingPrompts } from './waiting-prompts.ts';

/** How a prompt ends that nobody runs. */
const ABANDONED = 'The client that asked for this prompt was gone before its turn began; send the prompt again.';

export interface SessionTurnsOptions {
  readonly session: TurnSession;
  /** Undefined when no other process can have the session. */
  readonly shared: SharedLog | undefined;
  /** Whether a process that asked for a prompt is known to have ended. */
  readonly hasEnded: (process: string) => boolean;
  /** Logs what has happened beside the events. */
  readonly record: (entry: LogEntry) => void;
  /** Logs what the person said, and shows it to everybody but the client that said it. */
  readonly showPrompt: (events: readonly SessionEvent[], turn: TurnInProgress) => void;
  /** Logs what the person said while a turn ran, and shows it to everybody. */
  readonly showMessage: (events: readonly SessionEvent[]) => void;
}

/** Refuses a prompt while no turn may begin. */
export function requireTurns({ activity: { drainMessage: message } }: AgentDefinition): void {
  if (message !== undefined) throw errorOfKind('busy', { message, data: { reason: 'draining' } });
}

/** A turn, and how it ends. */
export interface StartedTurn {
  readonly turn: RunningTurn;
  readonly outcome: Promise<TurnOutcome>;
}

/** The turns of one session: one at a time, whoever asked for it, and then the prompts that wait in the log. */
export class SessionTurns implements TurnRecords {
  /** Whether this process runs the prompts of other processes too: its turns outlive their clients. */
  runsAll = false;
  readonly asked: AskedPrompts = new AskedPrompts();
  readonly waiting: WaitingPrompts;
  readonly #options: SessionTurnsOptions;
  #running: TurnInProgress | undefined;
  #ended: Promise<void> = Promise.resolve();
  readonly #started = new WeakMap<TurnInProgress, StartedTurn>();
  /** Where to begin to look for what was left to do when the last turn began. */
  #oldestAtStart: number | undefined;
  #isClosed = false;

  constructor(options: SessionTurnsOptions) {
    this.#options = options;
    this.waiting = new WaitingPrompts(options.shared);
  }

  get running(): TurnInProgress | undefined {
    return this.#running;
  }

  /** Resolves when the turn that runs now has ended. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** Nothing runs here, and no prompt of a client of this process waits in the log. */
  get isIdle(): boolean {
    return !this.#running && this.asked.isEmpty;
  }

  /** Resolves when the turn that runs has ended and the prompts in the log that clients here asked for have. */
  async whenSettled(): Promise<void> {
    await this.#ended;
    await this.asked.whenEmpty();
  }

  /** Whether a client has asked for a turn, or for a prompt that the turn has taken. */
  isFor(peer: ClientPeer, turnId: string): boolean {
    if (this.#running?.id === turnId && this.#running.asker === peer) return true;
    return this.asked.isFor(peer, turnId);
  }

  /** Starts a turn, and begins before it first waits; refuses a second one. The turn belongs to the session from now on. */
  start(prompt: Prompt, asker?: ClientPeer): StartedTurn {
    const turn = new RunningTurn(this.#options.session, asker, prompt);
    const started = { turn, outcome: runTurn(turn) };
    this.#started.set(turn, started);
    return started;
  }

  /** The turn that runs, if it has this id. */
  find(turnId: string): StartedTurn | undefined {
    return this.#running?.id === turnId ? this.#started.get(this.#running) : undefined;
  }

  /** A turn that was started here, with its end. */
  startedOf(turn: TurnInProgress): StartedTurn {
    return this.#started.get(turn) as StartedTurn;
  }

  /** What was sent into a turn since it last asked; it is part of the conversation from now on. */
  takeMessages(turn: TurnInProgress): readonly UserMessage[] {
    const { record, showMessage } = this.#options;
    return this.waiting.take(turn, this.#isCommand).map((taken) => {
      const { promptId, content, seq } = taken;
      record({ type: 'input_taken', seq, promptId, turnId: turn.id });
      showMessage(steeredEvents(promptId, content));
      return toMessage(taken);
    });
  }

  messagesFor(turn: TurnInProgress): readonly UserMessage[] {
    return this.waiting.offered(turn, this.#isCommand).map(toMessage);
  }

  readonly #isCommand = (content: Prompt['content']): boolean =>
    readCommand(content, this.#options.session.commands) !== undefined;

  begin(turn: TurnInProgress): TurnPlace {
    const { session } = this.#options;
    requireTurns(session.definition);
    if (this.#running) {
      throw errorOfKind('invalid_session_state', {
        message: 'A turn is already running in this session; wait until it ends, or cancel it.',
        data: { sessionId: session.id },
      });
    }
    let onEnd = (): void => {};
    this.#ended = new Promise<void>((resolve) => {
      onEnd = resolve;
    });
    this.#running = turn;
    session.viewers.lead(turn.asker);
    return {
      release: () => {
        if (this.#running !== turn) return;
        this.#running = undefined;
        this.waiting.forgetTaken();
        session.viewers.lead(undefined);
        this.runNext();
      },
      close: onEnd,
    };
  }

  /** Starts the next prompt that waits; of those in the log only the owner of the session may. */
  runNext(): void {
    const { shared, hasEnded } = this.#options;
    if (!shared) return this.#runWaiting();
    if (this.#running || this.#isClosed || !shared.isOwned || this.#isDraining) return;
    const next = nextPrompt(shared.progress, {
      runsAll: this.runsAll,
      isAskedHere: (promptId) => this.asked.isWanted(promptId),
      hasEnded,
    });
    if (!next) return;
    const { promptId, content, meta, steers: isSteered } = next.input;
    const { turn, outcome } = this.start(
      { promptId, content, meta: meta ?? undefined, isSteered },
      this.asked.peerOf(promptId),
    );
    if (next.isAbandoned) turn.abort(new TurnInterruptedError(ABANDONED, 'prompt_abandoned'));
    // The log has its end, and whoever asked for it reads that there.
    outcome.catch(() => {});
  }

  /** Runs what waits in memory. A turn that cannot begin tells that to who asked for it. */
  #runWaiting(): void {
    while (!this.#running) {
      const next = this.waiting.shift();
      if (!next) return;
      const { turn, outcome } = this.start({ ...next, isSteered: next.steers }, next.asker);
      outcome.catch(() => {});
      next.settle({ turn, isTaken: false });
    }
  }

  /** A prompt that a turn may take has come. */
  tellMessage(): void {
    this.#running?.tellMessage();
  }

  recordStart(turn: TurnInProgress): void {
    const { record, showPrompt } = this.#options;
    const { id: turnId, meta } = turn;
    const oldestInput = this.#options.shared?.oldestInput(turnId);
    this.#oldestAtStart = oldestInput;
    record({ type: 'turn_started', turnId, ...(meta && { meta }), ...(oldestInput !== undefined && { oldestInput }) });
    showPrompt(promptEvents(turnId, turn.content), turn);
  }

  recordEnd(end: Omit<TurnEnded, 'type' | 'oldestInput'>): void {
    // While another turn runs, whoever looks has to find its beginning too.
    const isOfWaiting = this.#running !== undefined && this.#running.id !== end.turnId;
    const oldestInput =
      (isOfWaiting ? undefined : this.#options.shared?.oldestInput(end.turnId)) ?? this.#oldestAtStart;
    this.#options.record({ type: 'turn_ended', ...end, ...(oldestInput !== undefined && { oldestInput }) });
  }

  /** Asks the turn that runs to end, in whichever process it does. */
  cancel(by = 'a client'): void {
    if (this.#running) return this.#running.cancel();
    const { shared, session } = this.#options;
    if (!shared || shared.isOwned) return;
    cancelElsewhere(shared, by).catch((error: unknown) => {
      session.report({ kind: 'log_failed', message: 'A turn of another process could not be cancelled.', error });
    });
  }

  /** Asks the turn, or the prompt that waits, of this id to end; without one, the turn that runs. */
  cancelTurn(turnId: string | undefined): void {
    const running = this.#running;
    if (running && (turnId === undefined || turnId === running.id)) return running.cancel();
    if (turnId !== undefined && this.isQueued(turnId))
      this.recordEnd({ turnId, stopReason: 'cancelled', neverBegan: true });
  }

  /** Whether a prompt waits in the log, and no turn has taken it. */
  isQueued(promptId: string | undefined): boolean {
    if (promptId === undefined || this.waiting.takenBy(promptId) || this.#running?.id === promptId) return false;
    return queuedPrompts(this.#options.shared?.progress).some(({ input }) => input.promptId === promptId);
  }

  /** Cancels what runs here and waits for its end. */
  async stop(): Promise<void> {
    this.#running?.cancel();
    await this.#ended;
  }

  /** The turn that runs here fails as interrupted, and its end is waited for. */
  async interrupt(message: string): Promise<void> {
    this.#running?.abort(new TurnInterruptedError(message));
    await this.#ended;
  }

  /** No further turn begins. */
  close(): void {
    this.#isClosed = true;
    this.waiting.withdrawAll();
  }

  get #isDraining(): boolean {
    return this.#options.session.definition.activity.drainMessage !== undefined;
  }
}

/** Reads the log first: a client may cancel right after it has opened a session, or while the turn's start is on its way. */
async function cancelElsewhere(shared: SharedLog, by: string): Promise<void> {
  const { turn } = await shared.readProgress();
  if (turn) await shared.submit({ type: 'cancel', turnId: turn.turnId, by });
}

function toMessage({ promptId: id, content, meta }: TakenPrompt): UserMessage {
  return { id, content, text: textOfContent(content), meta };
}
