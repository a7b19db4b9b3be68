import type { SessionEvent } from '@parley/session';
import type { Clock } from '../clock.ts';
import { describeEvent } from './describe-event.ts';

/** Nothing has come from the agent for a while although we wait for it. */
export interface SilenceReport {
  /** The method that is not answered. */
  readonly waitingFor: string;
  readonly sessionId?: string;
  /** How long we have waited for it, and how long nothing at all has come. */
  readonly waitedMs: number;
  readonly silentMs: number;
  /** What came last, in words. */
  readonly lastEvent?: string;
  /** True when the agent waits for an answer of the person: then it is not the agent who is silent. */
  readonly isWaitingForPerson: boolean;
  /** The whole of it as a sentence. */
  readonly message: string;
}

export interface WatchdogOptions {
  /** After how much silence to report, and again after each further stretch. Default: 30 s. */
  readonly silentMs?: number;
  readonly onSilence: (report: SilenceReport) => void;
}

export interface WatchdogContext extends WatchdogOptions {
  readonly clock: Clock;
  readonly agent: string;
  /** Whether we do not read: then silence is our own. */
  readonly isPaused: () => boolean;
  readonly isWaitingForPerson: (sessionId: string | undefined) => boolean;
}

interface Wait {
  readonly method: string;
  readonly sessionId?: string;
  readonly since: number;
}

export const DEFAULT_SILENT_MS: number = 30_000;

/** Tells what we are waiting for when an agent falls silent. It only reports. Its timer runs only while something waits. */
export class SilenceWatchdog {
  readonly #context: WatchdogContext;
  readonly #silentMs: number;
  readonly #waits = new Set<Wait>();
  #lastHeardAt = 0;
  #lastEvent: SessionEvent | string | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(context: WatchdogContext) {
    this.#context = context;
    this.#silentMs = context.silentMs ?? DEFAULT_SILENT_MS;
  }

  /** A request was sent. Call the returned function when it is answered. */
  wait(method: string, sessionId?: string): () => void {
    const now = this.#context.clock.now();
    const wait: Wait = { method, since: now, ...(sessionId !== undefined && { sessionId }) };
    this.#waits.add(wait);
    if (this.#waits.size === 1) this.#lastHeardAt = now;
    if (!this.#cancelTimer) this.#arm(this.#silentMs);
    return () => {
      this.#waits.delete(wait);
      if (this.#waits.size === 0) this.stop();
    };
  }

  /** Something came from the agent. Called for each event, so words for it are found only when they are needed. */
  heard(event: SessionEvent | string): void {
    if (this.#waits.size === 0) return;
    this.#lastHeardAt = this.#context.clock.now();
    this.#lastEvent = event;
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #arm(delayMs: number): void {
    this.#cancelTimer = this.#context.clock.after(delayMs, () => {
      const silentMs = this.#context.clock.now() - this.#lastHeardAt;
      if (silentMs >= this.#silentMs && !this.#context.isPaused()) this.#report(silentMs);
      this.#arm(silentMs >= this.#silentMs ? this.#silentMs : this.#silentMs - silentMs);
    });
  }

  #report(silentMs: number): void {
    const { clock, agent, onSilence, isWaitingForPerson } = this.#context;
    const [oldest] = this.#waits;
    if (!oldest) return;
    const lastEvent = typeof this.#lastEvent === 'object' ? describeEvent(this.#lastEvent) : this.#lastEvent;
    const isPersons = isWaitingForPerson(oldest.sessionId);
    const waitedMs = clock.now() - oldest.since;
    const seconds = Math.round(silentMs / 1000);
    const subject = isPersons ? `Waiting for your answer for ${seconds} s` : `Waiting for ${agent} for ${seconds} s`;
    const last = lastEvent === undefined ? 'nothing has come yet' : `last event: ${lastEvent}`;
    onSilence({
      waitingFor: oldest.method,
      ...(oldest.sessionId !== undefined && { sessionId: oldest.sessionId }),
      waitedMs,
      silentMs,
      ...(lastEvent !== undefined && { lastEvent }),
      isWaitingForPerson: isPersons,
      message: `${subject} (${oldest.method}); ${last}.`,
    });
  }
}
