import type { ContentBlock } from '@parley/protocol';
import { type Extra, META, type StopReason, type Summary, type TokenUsage, type TurnResult } from '@parley/session';
import type { Meta } from '../peer/agent-peer.ts';
import { EventQueue } from './event-queue.ts';
import type { Turn } from './turn.ts';
import { mergeTurnEvents, type TurnEvent } from './turn-event.ts';

export interface PromptTurnOptions {
  readonly prompt: readonly ContentBlock[];
  readonly meta: Meta | undefined;
  readonly maxEvents: number;
  readonly cancel: (turn: PromptTurn, meta: Meta | undefined) => void;
}

/** A turn as its session sees it. */
export class PromptTurn implements Turn {
  readonly prompt: readonly ContentBlock[];
  /** `_meta` of the request. */
  readonly meta: Meta | undefined;
  readonly result: Promise<TurnResult>;
  state: Turn['state'] = 'queued';
  /** By this its end is known, and the agent runs it once: another id for each time that it is to run. */
  promptId: string;
  /** Turns whose prompts this one has taken. */
  readonly joined: PromptTurn[] = [];
  /** Whether the agent has said or done anything in it. */
  hasProgress = false;
  readonly #events: EventQueue<TurnEvent>;
  readonly #cancel: (turn: PromptTurn, meta: Meta | undefined) => void;
  #resolve: (result: TurnResult) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor({ prompt, meta, maxEvents, cancel }: PromptTurnOptions) {
    this.prompt = prompt;
    this.meta = meta;
    this.promptId = givenPromptId(meta) ?? createPromptId();
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

  async cancel({ meta }: { readonly meta?: Meta } = {}): Promise<void> {
    if (this.state !== 'ended') this.#cancel(this, meta);
    await this.result.catch(() => {});
  }

  push(event: TurnEvent): void {
    this.hasProgress ||= PROGRESS.has(event.type);
    this.#events.push(event);
    for (const each of this.joined) each.push(event);
  }

  end(outcome: TurnOutcome): void {
    this.state = 'ended';
    const { stopReason, usage, meta, extra, isForced = false, summary } = outcome;
    this.#events.end();
    const beside = { ...(usage && { usage }), ...(meta && { meta }), ...(extra && { extra }) };
    this.#resolve({ ...summary, stopReason, isForced, ...beside });
  }

  /** Ends it before anything came of it. */
  drop(): void {
    this.end({ stopReason: 'cancelled', summary: NOTHING });
  }

  /** The agent has dropped the prompt: it waits, and is another prompt to the agent when it is sent again. */
  requeue(): void {
    this.state = 'queued';
    if (givenPromptId(this.meta) === undefined) this.promptId = crypto.randomUUID();
  }

  fail(error: unknown): void {
    this.state = 'ended';
    this.#events.fail(error);
    this.#reject(error);
  }
}

/** Events by which an agent shows that it works on a prompt. */
const PROGRESS: ReadonlySet<TurnEvent['type']> = new Set([
  'text',
  'thought',
  'content',
  'tool_call',
  'plan',
  'question',
  'compaction',
]);

export interface TurnOutcome {
  readonly stopReason: StopReason;
  readonly usage?: TokenUsage | undefined;
  readonly meta?: Meta | undefined;
  readonly extra?: Extra | undefined;
  readonly isForced?: boolean;
  readonly summary: Summary;
}

/** What came of a prompt that was never sent. */
export const NOTHING: Summary = { text: '', thoughts: '', toolCalls: [], failures: [], plan: [], entries: [] };

/** The id that the caller gave the prompt in `_meta`, if any. */
function givenPromptId(meta: Meta | undefined): string | undefined {
  const given = meta?.[META.promptId];
  return typeof given === 'string' ? given : undefined;
}

/** Unique enough; `crypto.randomUUID()` would load all of Web Crypto into a short command. */
function createPromptId(): string {
  return `turn-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}
