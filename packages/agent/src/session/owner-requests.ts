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
import { createDeferred } from '../promises.ts';

/** How often a process whose prompt waits looks whether the session is free: its owner may have been lost. */
const LOOK_INTERVAL_MS = 1000;

/** How long an owner may take to act on something that needs no turn. */
const ACT_TIMEOUT_MS = 30_000;

interface FollowOptions {
  readonly signal: AbortSignal;
  readonly onStarted: (turnId: string) => void;
}

/** A prompt in the log whose end is waited for here, until the log tells it. */
interface AwaitedPrompt {
  /** The turn that runs it: its own, unless another turn has taken it. */
  turnId: string;
  /** Called when that turn begins or has begun, and when another turn takes it. */
  readonly onStarted: Set<(turnId: string) => void>;
  readonly onEnded: Set<(end: TurnEnded) => void>;
}

/**
 * What this process wants of a session that another one owns. It is appended to the log; the owner acts on it, or this process
 * does, once the session is free.
 */
export class OwnerRequests {
  readonly #log: SharedLog;
  readonly #awaited = new Map<string, AwaitedPrompt>();
  readonly #taken = new Map<number, (taken: InputTaken) => void>();
  /** The oldest prompt of a session in which no turn runs, and since when that is so. */
  #idle: { readonly oldest: number; readonly sinceMs: number } | undefined;

  constructor(log: SharedLog) {
    this.#log = log;
  }

  /** Takes every entry of the log, whoever wrote it. */
  see(entry: LogEntry): void {
    if (entry.type === 'turn_ended') {
      for (const [promptId, { turnId, onEnded }] of this.#awaited) {
        if (promptId !== entry.turnId && turnId !== entry.turnId) continue;
        this.#awaited.delete(promptId);
        for (const resolve of onEnded) resolve(entry);
      }
      // The session may be free now, for the prompts that still wait.
      if (this.#awaited.size > 0 && this.#isNext(this.#log.progress)) void this.#tryToOwn();
    } else if (entry.type === 'turn_started') this.#start(entry.turnId, entry.turnId);
    else if (entry.type === 'input_taken') {
      this.#taken.get(entry.seq)?.(entry);
      if (entry.promptId !== undefined && entry.turnId !== undefined) this.#start(entry.promptId, entry.turnId);
    }
  }

  /** The turn of a prompt begins or has begun; one with another id has taken it. */
  #start(promptId: string, turnId: string): void {
    const awaited = this.#awaited.get(promptId);
    if (!awaited) return;
    awaited.turnId = turnId;
    for (const onStarted of awaited.onStarted) onStarted(turnId);
  }

  /**
   * The end of the turn that a prompt gets, whichever process runs it. A prompt that is in the log already runs no second time.
   * Aborting cancels it. `onStarted` is called when its turn begins or has begun, or a turn that runs has taken it.
   */
  async prompt(input: PromptInput, { signal, onStarted }: FollowOptions): Promise<TurnEnded> {
    const { promptId, by } = input;
    const cancel = (): void => {
      const hasLeft = signal.reason instanceof ConnectionClosedError && { hasLeft: true };
      this.#log.submit({ type: 'cancel', turnId: promptId, by, ...hasLeft }).catch(() => {});
    };
    try {
      return await this.#untilEnd(promptId, onStarted, async () => {
        const seq = await this.#log.submit(input, { key: `prompt:${promptId}` });
        signal.addEventListener('abort', cancel, { once: true });
        if (signal.aborted) cancel();
        return seq === undefined ? this.#findEnd(promptId, onStarted) : undefined;
      });
    } finally {
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
  async #findEnd(promptId: string, onStarted: FollowOptions['onStarted']): Promise<TurnEnded | undefined> {
    const state = turnState(await this.#log.readProgress(), promptId);
    if (state === 'queued') return undefined;
    if (state !== 'ended') {
      onStarted(promptId);
      return undefined;
    }
    const { turnId, end } = await this.#log.findPrompt(promptId);
    // A turn that has taken it runs; what the log tells nothing of is no longer kept.
    const isTaken = !end && turnId !== promptId;
    const awaited = this.#awaited.get(promptId);
    if (awaited) awaited.turnId = turnId;
    onStarted(turnId);
    return end ?? (isTaken ? undefined : noLongerKept(promptId));
  }

  /** Whoever waits for the end of a turn hears of it from the log; where that was missed, it is found there. */
  async #lookForEnd(promptId: string): Promise<void> {
    await this.#tryInOrder();
    const { progress } = this.#log;
    const awaited = this.#awaited.get(promptId);
    if (!awaited || !progress || turnState(progress, awaited.turnId) !== 'ended') return;
    try {
      const found = await this.#log.findPrompt(promptId);
      if (found.turnId !== promptId) this.#start(promptId, found.turnId);
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

  async #untilEnd(
    promptId: string,
    onStarted: FollowOptions['onStarted'],
    begin: () => Promise<TurnEnded | undefined>,
  ): Promise<TurnEnded> {
    const { promise: ended, resolve } = createDeferred<TurnEnded>();
    const awaited = this.#awaited.get(promptId) ?? { turnId: promptId, onStarted: new Set(), onEnded: new Set() };
    this.#awaited.set(promptId, awaited);
    awaited.onStarted.add(onStarted);
    awaited.onEnded.add(resolve);
    const looking = setInterval(() => void this.#lookForEnd(promptId), LOOK_INTERVAL_MS);
    try {
      const earlier = await begin();
      if (earlier) return earlier;
      void this.#tryInOrder();
      return await ended;
    } finally {
      clearInterval(looking);
      awaited.onStarted.delete(onStarted);
      awaited.onEnded.delete(resolve);
      if (awaited.onEnded.size === 0 && this.#awaited.get(promptId) === awaited) this.#awaited.delete(promptId);
    }
  }

  async #untilTaken(seq: number): Promise<InputTaken> {
    const { promise: taken, resolve } = createDeferred<InputTaken>();
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
    return !oldest || this.#awaited.has(oldest.input.promptId);
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
