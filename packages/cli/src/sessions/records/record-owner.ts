import { setTimeout as sleep } from 'node:timers/promises';
import { applySettings, type ClientSession, type Turn } from '@parley/client';
import { assertNever } from '@parley/jsonrpc';
import { META, type PromptInput, queuedPrompts, type WaitingInput, writeEntry } from '@parley/session';
import { SharedLog } from '@parley/session/log';
import type { NewEvent } from '@parley/store';
import type { SavedSession } from './saved-session.ts';
import type { SessionRecords } from './session-records.ts';
import { readWorker, type Worker } from './worker.ts';

export interface OwnOptions {
  readonly signal: AbortSignal;
  /** Told once, when another process works in the session. */
  readonly onWait: (worker: Worker | undefined) => void;
}

/** How often a waiting process looks again. */
const POLL_MS = 100;
/** How long others wait for a session whose owner was lost and cannot be asked. */
const LEASE_MS = 15_000;

/** Prompts for another process, or leaves that to it; `seq` is the number of the entry in the log that asks for it. */
export type PromptHandler = (prompt: PromptInput, seq: number) => Turn | undefined;

/** Prompts for another process: into the turn that runs, where that is wanted and the agent can, else behind it. */
export function promptAsAsked(session: ClientSession, { content, promptId, steers }: PromptInput): Turn {
  return session.prompt([...content], {
    whenBusy: steers ? 'steer' : 'queue',
    // By its name the other process finds it in the log, wherever it is taken up.
    ...(steers && { meta: { [META.promptId]: promptId } }),
  });
}

/**
 * This process as the owner of a session's record: the only one that works in the session, and the one that acts on what other
 * processes ask of it through the log.
 */
export class RecordOwner implements AsyncDisposable {
  readonly #log: SharedLog;
  #session: ClientSession | undefined;
  #onPrompt: PromptHandler | undefined;
  /** The turns of prompts of other processes, by the ids of the prompts. */
  readonly #passed = new Map<string, Turn>();
  /** What was asked before there was a session to do it in. */
  readonly #early: WaitingInput[] = [];

  private constructor(log: SharedLog) {
    this.#log = log;
  }

  /** Becomes the owner; undefined while another process is. */
  static async tryOwn(records: SessionRecords, saved: SavedSession): Promise<RecordOwner | undefined> {
    const { log, record } = await records.recordOf(saved);
    let owner: RecordOwner | undefined;
    const shared = new SharedLog({
      log,
      record,
      leaseMs: LEASE_MS,
      onEntry: () => {},
      onInput: (waiting) => {
        if (owner) owner.#act(waiting);
      },
      onOwned: () => {},
      onInterruption: () => {},
      onLost: () => {},
      onFault: () => {},
    });
    owner = new RecordOwner(shared);
    try {
      await shared.hold();
      return owner;
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === 'session_owned') return undefined;
      throw error;
    }
  }

  /** Becomes the owner, and waits for whoever is. */
  static async own(records: SessionRecords, saved: SavedSession, options: OwnOptions): Promise<RecordOwner> {
    const { signal, onWait } = options;
    for (let hasTold = false; ; hasTold = true) {
      const owner = await RecordOwner.tryOwn(records, saved);
      if (owner) return owner;
      if (!hasTold) onWait(readWorker((await records.recordOf(saved)).record));
      await sleep(POLL_MS, undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }

  async append(events: readonly NewEvent[]): Promise<void> {
    if (events.length > 0) await this.#log.append(events);
  }

  /** Acts from now on, in this session of the agent. Without `onPrompt`, prompts wait for the process that asked for them. */
  serve(session: ClientSession, onPrompt?: PromptHandler): void {
    this.#session = session;
    this.#onPrompt = onPrompt;
    for (const waiting of this.#early.splice(0)) this.#act(waiting);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#log.release();
  }

  #act(waiting: WaitingInput): void {
    const session = this.#session;
    if (!session) return void this.#early.push(waiting);
    const { seq, input } = waiting;
    const taken = (error?: string): void =>
      void this.append([writeEntry({ type: 'input_taken', seq, ...(error !== undefined && { error }) })]).catch(
        () => {},
      );
    switch (input.type) {
      case 'prompt':
        try {
          return this.#pass(input, seq);
        } catch (error) {
          return taken((error as Error).message);
        }
      case 'cancel':
        this.#cancel(session, input.turnId);
        return taken();
      case 'cancel_part':
        return taken('The tool calls of this agent are cancelled where it was started.');
      case 'answer':
        return taken('The questions of this agent are answered where it was started.');
      case 'change':
        applySettings(session, { settings: { [input.id]: input.value } }).then(
          () => taken(),
          (error: unknown) => taken((error as Error).message),
        );
        return;
      default:
        return assertNever(input);
    }
  }

  #pass(input: PromptInput, seq: number): void {
    const turn = this.#onPrompt?.(input, seq);
    if (!turn) return;
    this.#passed.set(input.promptId, turn);
    const forget = (): void => void this.#passed.delete(input.promptId);
    turn.result.then(forget, forget);
  }

  /** Ends the turn that runs, or only a prompt that waits: who gives up its own ends nobody else's turn. */
  #cancel(session: ClientSession, turnId: string | undefined): void {
    const { progress } = this.#log;
    const waiting = queuedPrompts(progress).find(({ input }) => input.promptId === turnId);
    if (waiting) {
      const withdrawn = writeEntry({ type: 'input_taken', seq: waiting.seq, error: 'It was withdrawn.' });
      void this.append([withdrawn]).catch(() => {});
    }
    const passed = turnId === undefined ? undefined : this.#passed.get(turnId);
    if (passed) return void passed.cancel().catch(() => {});
    const isOver = turnId !== undefined && progress?.turn !== undefined && progress.turn.turnId !== turnId;
    if (!waiting && !isOver) void session.cancel().catch(() => {});
  }
}
