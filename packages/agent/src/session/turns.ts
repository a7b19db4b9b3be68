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
import type { AgentDefinition } from '../definition.ts';
import { TurnInterruptedError } from '../errors.ts';
import type { ClientPeer } from '../peer/client-peer.ts';
import { readCommand } from '../turn/prompt-text.ts';
import { runTurn, type TurnOutcome } from '../turn/run-turn.ts';
import { type Prompt, RunningTurn } from '../turn/running-turn.ts';
import type { UserMessage } from '../turn/turn.ts';
import type { TurnInProgress, TurnPlace, TurnRecords, TurnSession } from '../turn/turn-session.ts';
import { WaitingPrompts } from './waiting-prompts.ts';

export interface SessionTurnsOptions {
  readonly session: TurnSession;
  /** Undefined when no other process can have the session. */
  readonly shared: SharedLog | undefined;
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
  /** The clients here whose prompts wait in the log, by the ids of the prompts. */
  readonly askers: Map<string, ClientPeer> = new Map();
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
    const { record, showMessage, session } = this.#options;
    const isCommand = (content: Prompt['content']): boolean => readCommand(content, session.commands) !== undefined;
    return this.waiting.take(turn, isCommand).map(({ id, content, meta, seq }) => {
      record({ type: 'input_taken', seq, promptId: id, turnId: turn.id });
      showMessage(steeredEvents(id, content));
      return { id, content, text: textOfContent(content), meta };
    });
  }

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

  /** Runs the next prompt that waits; of those in the log only the owner of the session may. */
  runNext(): void {
    const { shared } = this.#options;
    if (!shared) return this.#runWaiting();
    if (this.#running || this.#isClosed || !shared.isOwned || this.#isDraining) return;
    const [next] = queuedPrompts(shared.progress);
    if (!next) return;
    const { promptId: id, content, meta, steers: isSteered } = next.input;
    this.start({ id, content, meta: meta ?? undefined, isSteered }, this.askers.get(id)).outcome.catch(() => {
      // Its end in the log tells why; whoever asked for it reads it there.
    });
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
    const turnId = shared?.progress?.turn?.turnId;
    if (!shared || turnId === undefined || shared.isOwned) return;
    shared.submit({ type: 'cancel', turnId, by }).catch((error: unknown) => {
      session.report({ kind: 'log_failed', message: 'A turn of another process could not be cancelled.', error });
    });
  }

  /** Asks the turn, or the prompt that waits, of this id to end; without one, the turn that runs. */
  cancelTurn(turnId: string | undefined): void {
    const running = this.#running;
    if (running && (turnId === undefined || turnId === running.id)) return running.cancel();
    const isQueued = queuedPrompts(this.#options.shared?.progress).some(({ input }) => input.promptId === turnId);
    const isTaken = turnId !== undefined && this.waiting.takenBy(turnId) !== undefined;
    if (turnId !== undefined && isQueued && !isTaken)
      this.recordEnd({ turnId, stopReason: 'cancelled', neverBegan: true });
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
