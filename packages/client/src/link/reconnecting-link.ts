import { assertNever } from '@parley/jsonrpc';
import { backoffMs } from '@parley/jsonrpc/internal';
import { type Clock, sleep } from '../clock.ts';
import { AgentError, UsageError } from '../errors.ts';
import type { TraceOptions } from '../trace/trace.ts';
import { Link, type LinkContext } from './link.ts';
import { DEFAULT_RETRY } from './retry.ts';

export interface ReconnectingLinkOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Whether a lost link is opened again. */
  readonly mayReconnect: boolean;
  readonly maxAttempts: number;
  readonly firstPauseMs: number;
  /** What each link is opened with. */
  readonly link: Omit<LinkContext, 'signal' | 'isPaused' | 'traces'>;
  /** Records the messages of every link. */
  readonly trace: TraceOptions | undefined;
  /** The link is gone; sessions should know at once. `mayReturn` when the next one is being opened. */
  onLost(error: unknown, mayReturn: boolean): Promise<void>;
  onReconnecting(): void;
  /** There is a new link; sessions may go on. */
  onRestored(link: Link): Promise<void>;
  /** There will be no further link. */
  onEnd(error: unknown): void;
}

type LinkState =
  | { readonly name: 'unopened' }
  | { readonly name: 'open'; readonly link: Link; readonly sinceMs: number }
  /** The link was lost. */
  | { readonly name: 'reopening'; readonly next: Promise<Link> }
  /** We close the link ourselves, to open the next. */
  | { readonly name: 'restarting'; readonly next: Promise<Link> }
  /** There will be no further link; nobody was told so yet. */
  | { readonly name: 'failed'; readonly error: unknown }
  | { readonly name: 'ended'; readonly error: unknown };

/** The states that may follow each; all others are ignored, since nothing comes after the end. */
const NEXT_STATES: { readonly [Name in LinkState['name']]: readonly LinkState['name'][] } = {
  unopened: ['open', 'ended'],
  open: ['reopening', 'restarting', 'failed', 'ended'],
  reopening: ['open', 'restarting', 'failed', 'ended'],
  restarting: ['open', 'failed', 'ended'],
  failed: ['ended'],
  ended: [],
};

/** Keeps a link to the agent open: notices when it is lost, and opens the next one if it may. */
export class ReconnectingLink {
  readonly #options: ReconnectingLinkOptions;
  readonly #traces: Set<TraceOptions>;
  readonly #closing = new AbortController();
  #state: LinkState = { name: 'unopened' };
  /** The link that is open, or was last. */
  #link: Link | undefined;
  /** Links in a row that did not last; a crashing agent must not be started for ever. */
  #shortLived = 0;
  #isPaused = false;

  constructor(options: ReconnectingLinkOptions) {
    this.#options = options;
    this.#traces = new Set(options.trace && [options.trace]);
  }

  /** The link as it is; the last one while none is open. */
  get link(): Link {
    if (!this.#link) throw new UsageError('connection_closed', 'The connection is not open.');
    return this.#link;
  }

  /** Whether nothing is read from the agent, whichever link is open. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  pause(): void {
    this.#isPaused = true;
    this.link.peer.connection.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.link.peer.connection.resume();
  }

  /** Records messages from now on, those of later links too. Returns a function that ends it. */
  trace(options: TraceOptions): () => void {
    this.#traces.add(options);
    const stop = this.link.trace(options);
    return () => {
      this.#traces.delete(options);
      stop();
    };
  }

  /** Aborts when the connection is closed from this side. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  async open(signal: AbortSignal | undefined): Promise<void> {
    this.#hold(await this.#open(signal));
  }

  /** A link that is open; waits for one that is being opened. */
  async ready(): Promise<Link> {
    const state = this.#state;
    switch (state.name) {
      case 'reopening':
      case 'restarting':
        return await state.next;
      case 'failed':
      case 'ended':
        throw state.error ?? closedHere();
      case 'unopened':
      case 'open':
        return this.link;
      default:
        return assertNever(state);
    }
  }

  /** Ends the agent and starts it again. */
  async restart(): Promise<void> {
    const { link: before } = this;
    // Close the old link in a later job, when the state is `restarting`; the close is then not reported as a loss.
    const next = Promise.resolve()
      .then(() => before.close())
      .then(() => this.#open(this.signal));
    this.#enter({ name: 'restarting', next });
    const link = await this.#take(next);
    await this.#options.onLost(closedHere(), false);
    await this.#options.onRestored(link);
  }

  async close(): Promise<void> {
    this.#closing.abort(closedHere());
    if ('next' in this.#state) await this.#state.next.catch(() => {});
    await this.#link?.close();
    this.#finish(undefined);
  }

  #open(signal: AbortSignal | undefined): Promise<Link> {
    return Link.open({
      ...this.#options.link,
      traces: this.#traces,
      isPaused: () => this.#isPaused,
      signal,
    });
  }

  #hold(link: Link): void {
    this.#link = link;
    this.#enter({ name: 'open', link, sinceMs: this.#options.clock.now() });
    link.onEnd((error) => void this.#lost(link, error));
  }

  async #lost(link: Link, error: unknown): Promise<void> {
    const state = this.#state;
    if (state.name !== 'open' || state.link !== link || this.signal.aborted) return;
    const explained = link.explain(error);
    this.#shortLived = this.#options.clock.now() - state.sinceMs < HEALTHY_AFTER_MS ? this.#shortLived + 1 : 0;
    const next = this.#options.mayReconnect ? this.#openAgain(link, explained) : undefined;
    next?.catch(() => {});
    this.#enter(next ? { name: 'reopening', next } : { name: 'failed', error: explained });
    await this.#options.onLost(explained, next !== undefined);
    if (!next) {
      await link.closed;
      return this.#finish(explained);
    }
    this.#options.onReconnecting();
    try {
      await this.#options.onRestored(await this.#take(next));
      // Reading is not held up earlier: the agent's answers to the requests that open it again must be read.
      if (this.#isPaused) this.pause();
    } catch (failure) {
      this.#finish(failure);
    }
  }

  async #take(next: Promise<Link>): Promise<Link> {
    try {
      const link = await next;
      if (this.signal.aborted) await link.close();
      this.signal.throwIfAborted();
      this.#hold(link);
      return link;
    } catch (error) {
      this.#enter({ name: 'failed', error });
      throw error;
    }
  }

  async #openAgain(old: Link, lost: unknown): Promise<Link> {
    const { clock, link } = this.#options;
    const { redial } = link.source;
    let failure = lost;
    // Two processes of one agent may quarrel about their files, so the old one must be gone.
    await old.closed;
    const lostAt = clock.now();
    for (let attempt = this.#shortLived; this.#mayTry(attempt, lostAt); attempt += 1) {
      const pauseMs = this.#pauseBefore(attempt);
      if (pauseMs > 0) await sleep(clock, pauseMs, this.signal);
      try {
        return await this.#open(this.signal);
      } catch (error) {
        failure = error;
        if (this.signal.aborted || (error instanceof AgentError && error.code === 'unsupported_version')) break;
        if (redial?.isFinal(error)) break;
      }
    }
    throw failure;
  }

  #mayTry(attempt: number, lostAt: number): boolean {
    const { clock, link, maxAttempts } = this.#options;
    const { redial } = link.source;
    return redial ? clock.now() - lostAt < redial.giveUpAfterMs : attempt < maxAttempts;
  }

  /** The first time at once: most agents that die come up again. */
  #pauseBefore(attempt: number): number {
    const { random, firstPauseMs, link } = this.#options;
    if (attempt <= 1) return 0;
    const { redial } = link.source;
    if (!redial) return backoffMs(attempt - 1, { firstMs: firstPauseMs, spread: [0.5, 1.5], random });
    return backoffMs(attempt - 1, { firstMs: redial.firstPauseMs, maxMs: redial.maxPauseMs, spread: [0, 1], random });
  }

  #finish(error: unknown): void {
    const state = this.#state;
    if (this.#enter({ name: 'ended', error: state.name === 'failed' ? state.error : error }))
      this.#options.onEnd(error);
  }

  /** False when the state cannot follow the one before. */
  #enter(state: LinkState): boolean {
    const mayFollow = NEXT_STATES[this.#state.name].includes(state.name);
    if (mayFollow) this.#state = state;
    return mayFollow;
  }
}

/** A link that lived this long was not part of a crash loop. */
const HEALTHY_AFTER_MS = 60_000;

/** Pauses between tries to open the agent again follow those of calls. */
export const RECONNECT_DEFAULTS: { readonly maxAttempts: number; readonly firstPauseMs: number } = {
  maxAttempts: DEFAULT_RETRY.maxAttempts,
  firstPauseMs: DEFAULT_RETRY.firstPauseMs,
};

function closedHere(): UsageError {
  return new UsageError('connection_closed', 'The connection was closed; connect again.');
}
