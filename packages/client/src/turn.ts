import type { ContentBlock, StopReason } from '@parley/protocol';
import { EventQueue } from './event-queue.ts';
import type { Summary, TokenUsage, TurnResult } from './transcript/index.ts';
import { mergeTurnEvents, type TurnEvent } from './turn-event.ts';

/** One prompt and everything until its stop reason. Read its events as they come, or only await `result`. */
export interface Turn extends AsyncIterable<TurnEvent> {
  readonly prompt: readonly ContentBlock[];
  readonly state: 'queued' | 'running' | 'ended';
  /** How it ended. Rejects when the agent answered with an error or was lost. */
  readonly result: Promise<TurnResult>;
  /** Asks the agent to end it, or takes it out of the queue; a second call stops waiting. Resolves when it has ended. */
  cancel(): Promise<void>;
}

/** A turn as its session sees it. */
export class PromptTurn implements Turn {
  readonly prompt: readonly ContentBlock[];
  readonly result: Promise<TurnResult>;
  state: Turn['state'] = 'queued';
  readonly #events: EventQueue<TurnEvent>;
  readonly #cancel: (turn: PromptTurn) => void;
  #resolve: (result: TurnResult) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(prompt: readonly ContentBlock[], maxEvents: number, cancel: (turn: PromptTurn) => void) {
    this.prompt = prompt;
    this.#cancel = cancel;
    this.#events = new EventQueue<TurnEvent>({
      maxEvents,
      merge: mergeTurnEvents,
      gap: (skipped) => ({ type: 'gap', skipped }),
    });
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever reads the events meets the error there; a turn that nobody awaits must not end the program.
    this.result.catch(() => {});
  }

  [Symbol.asyncIterator](): AsyncIterator<TurnEvent> {
    return this.#events[Symbol.asyncIterator]();
  }

  async cancel(): Promise<void> {
    if (this.state !== 'ended') this.#cancel(this);
    await this.result.catch(() => {});
  }

  push(event: TurnEvent): void {
    this.#events.push(event);
  }

  end(outcome: TurnOutcome): void {
    this.state = 'ended';
    const { stopReason, usage, isForced = false, summary } = outcome;
    this.#events.end();
    this.#resolve({ ...summary, stopReason, isForced, ...(usage && { usage }) });
  }

  fail(error: unknown): void {
    this.state = 'ended';
    this.#events.fail(error);
    this.#reject(error);
  }
}

export interface TurnOutcome {
  readonly stopReason: StopReason;
  readonly usage?: TokenUsage | undefined;
  readonly isForced?: boolean;
  readonly summary: Summary;
}

/** What came of a prompt that was never sent. */
export const NOTHING: Summary = { text: '', thoughts: '', toolCalls: [], failures: [], plan: [], entries: [] };
