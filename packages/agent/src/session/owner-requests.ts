import { ConnectionClosedError } from '@parley/jsonrpc';
import {
  type CancelPartInput,
  type ChangeInput,
  type InputTaken,
  type LogEntry,
  type PromptInput,
  queuedPrompts,
  type SessionProgress,
  type TurnEnded,
  turnState,
} from '@parley/session';
import type { SharedLog } from '@parley/session/log';

/** How often a process whose prompt waits looks whether the session is free: its owner may have been lost. */
const LOOK_INTERVAL_MS = 1000;

/** How long an owner may take to act on something that needs no turn. */
const ACT_TIMEOUT_MS = 30_000;

interface FollowOptions {
  readonly signal: AbortSignal;
  readonly onStarted: (turnId: string) => void;
}

/**
 * What this process wants of a session that another one owns. It is appended to the log; the owner acts on it, or this process
 * does, once the session is free.
 */
export class OwnerRequests {
  readonly #log: SharedLog;
  readonly #ends = new Map<string, Set<(end: TurnEnded) => void>>();
  readonly #starts = new Map<string, Set<(turnId: string) => void>>();
  /** Prompts that turns have taken, by the turns. */
  readonly #joined = new Map<string, Set<string>>();
  readonly #taken = new Map<number, (taken: InputTaken) => void>();
  /** The oldest prompt of a session in which no turn runs, and since when that is so. */
  #idle: { readonly oldest: number; readonly sinceMs: number } | undefined;

  constructor(log: SharedLog) {
    this.#log = log;
  }

  /** Takes every entry of the log, whoever wrote it. */
  see(entry: LogEntry): void {
    if (entry.type === 'turn_ended') {
      const joined = this.#joined.get(entry.turnId) ?? [];
      this.#joined.delete(entry.turnId);
      for (const id of [entry.turnId, ...joined]) {
        for (const resolve of this.#ends.get(id) ?? []) resolve(entry);
        this.#ends.delete(id);
      }
      // The session may be free now, for the prompts that still wait.
      if (this.#ends.size > 0 && this.#isNext(this.#log.progress)) void this.#tryToOwn();
    } else if (entry.type === 'turn_started') this.#start(entry.turnId, entry.turnId);
    else if (entry.type === 'input_taken') {
      this.#taken.get(entry.seq)?.(entry);
      if (entry.promptId !== undefined && entry.turnId !== undefined) this.#join(entry.promptId, entry.turnId);
    }
  }

  #start(promptId: string, turnId: string): void {
    for (const onStarted of this.#starts.get(promptId) ?? []) onStarted(turnId);
  }

  /** A turn has taken a prompt that is waited for here. */
  #join(promptId: string, turnId: string): void {
    if (!this.#ends.has(promptId)) return;
    this.#joined.set(turnId, (this.#joined.get(turnId) ?? new Set<string>()).add(promptId));
    this.#start(promptId, turnId);
  }

  /**
   * The end of the turn that a prompt gets, whichever process runs it. A prompt that is in the log already runs no second time.
   * Aborting cancels it. `onStarted` is called when its turn begins or has begun, or a turn that runs has taken it.
   */
  async prompt(input: PromptInput, { signal, onStarted }: FollowOptions): Promise<TurnEnded> {
    const { promptId, by } = input;
    const waiting = this.#starts.get(promptId) ?? new Set();
    this.#starts.set(promptId, waiting.add(onStarted));
    const cancel = (): void => {
      const hasLeft = signal.reason instanceof ConnectionClosedError && { hasLeft: true };
      this.#log.submit({ type: 'cancel', turnId: promptId, by, ...hasLeft }).catch(() => {});
    };
    try {
      return await this.#untilEnd(promptId, async () => {
        const seq = await this.#log.submit(input, { key: `prompt:${promptId}` });
        signal.addEventListener('abort', cancel, { once: true });
        if (signal.aborted) cancel();
        return seq === undefined ? this.#findEnd(promptId) : undefined;
      });
    } finally {
      waiting.delete(onStarted);
      if (waiting.size === 0) this.#starts.delete(promptId);
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Whether a prompt is in the log, be its turn over or not. */
  async knows(promptId: string): Promise<boolean> {
    if (turnState(await this.#log.readProgress(), promptId) !== 'ended') return true;
    const { turnId, end } = await this.#log.findPrompt(promptId);
    return end !== undefined || turnId !== promptId;
  }

  /** How the turn of a prompt ended; undefined while it runs or waits somewhere. */
  async #findEnd(promptId: string): Promise<TurnEnded | undefined> {
    const state = turnState(await this.#log.readProgress(), promptId);
    if (state === 'queued') return undefined;
    if (state !== 'ended') {
      this.#start(promptId, promptId);
      return undefined;
    }
    const { turnId, end } = await this.#log.findPrompt(promptId);
    // A turn that has taken it runs; what the log tells nothing of is no longer kept.
    const isJoined = !end && turnId !== promptId;
    if (isJoined) this.#join(promptId, turnId);
    else this.#start(promptId, turnId);
    return end ?? (isJoined ? undefined : noLongerKept(promptId));
  }

  /** Whoever waits for the end of a turn hears of it from the log; where that was missed, it is found there. */
  async #lookForEnd(promptId: string): Promise<void> {
    await this.#tryInOrder();
    const { progress } = this.#log;
    const [turnId] = [...this.#joined].find(([, prompts]) => prompts.has(promptId)) ?? [promptId];
    if (!this.#ends.has(promptId) || !progress || turnState(progress, turnId) !== 'ended') return;
    try {
      const found = await this.#log.findPrompt(promptId);
      if (found.turnId !== promptId) this.#join(promptId, found.turnId);
      if (found.end) this.see(found.end);
    } catch {
      // It is looked for again.
    }
  }

  /** Resolves when a setting is changed, or the end of a part was asked for; rejects with why not. */
  async act(input: ChangeInput | CancelPartInput): Promise<void> {
    const seq = await this.#log.submit(input);
    if (seq === undefined) return;
    const taken = await this.#untilTaken(seq);
    if (taken.error !== undefined) throw new Error(taken.error);
  }

  async #untilEnd(turnId: string, begin: () => Promise<TurnEnded | undefined>): Promise<TurnEnded> {
    let resolve: (end: TurnEnded) => void = () => {};
    const ended = new Promise<TurnEnded>((settle) => {
      resolve = settle;
    });
    const waiting = this.#ends.get(turnId) ?? new Set();
    waiting.add(resolve);
    this.#ends.set(turnId, waiting);
    const looking = setInterval(() => void this.#lookForEnd(turnId), LOOK_INTERVAL_MS);
    try {
      const earlier = await begin();
      if (earlier) return earlier;
      void this.#tryInOrder();
      return await ended;
    } finally {
      clearInterval(looking);
      waiting.delete(resolve);
      if (waiting.size === 0 && this.#ends.get(turnId) === waiting) this.#ends.delete(turnId);
    }
  }

  async #untilTaken(seq: number): Promise<InputTaken> {
    let resolve: (taken: InputTaken) => void = () => {};
    const taken = new Promise<InputTaken>((settle) => {
      resolve = settle;
    });
    this.#taken.set(seq, resolve);
    const looking = setInterval(() => void this.#tryToOwn(), LOOK_INTERVAL_MS);
    const timeout = setTimeout(() => {
      resolve({ type: 'input_taken', seq, error: 'The process that works in this session does not react.' });
    }, ACT_TIMEOUT_MS);
    try {
      void this.#tryToOwn();
      return await taken;
    } finally {
      clearInterval(looking);
      clearTimeout(timeout);
      this.#taken.delete(seq);
    }
  }

  /**
   * Tries to own the session when the oldest prompt is one that waits here. The process of an older prompt comes first, unless it
   * has left the session free for the time between two looks: it may be stopped or lost.
   */
  async #tryInOrder(): Promise<void> {
    try {
      const progress = await this.#log.readProgress();
      if (this.#isNext(progress) || this.#isPassedOver(progress)) await this.#tryToOwn();
    } catch {
      // The next look tries again.
    }
  }

  #isNext(progress: SessionProgress | undefined): boolean {
    const [oldest] = queuedPrompts(progress);
    return !oldest || this.#ends.has(oldest.input.promptId);
  }

  #isPassedOver(progress: SessionProgress): boolean {
    const oldest = progress.turn ? undefined : queuedPrompts(progress)[0]?.seq;
    if (oldest === undefined || this.#idle?.oldest !== oldest) {
      this.#idle = oldest === undefined ? undefined : { oldest, sinceMs: performance.now() };
      return false;
    }
    return performance.now() - this.#idle.sinceMs >= LOOK_INTERVAL_MS / 2;
  }

  /** Who owns the session is told what waits in its log; so this acts on it, if the session is free. */
  async #tryToOwn(): Promise<void> {
    try {
      await this.#log.hold();
      await this.#log.release();
    } catch {
      // Another process has it, and acts.
    }
  }
}

/** The prompt ran, and runs no second time; what came of it went with the oldest turns. */
function noLongerKept(turnId: string): TurnEnded {
  const message = 'This prompt was answered before, and its turn is no longer kept; it is not run a second time.';
  return { type: 'turn_ended', turnId, error: { code: -32603, message } };
}
