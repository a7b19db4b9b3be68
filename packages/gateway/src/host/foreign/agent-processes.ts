import type { ClientOffers } from '@parley/session';
import type { AgentProcess, EventSink } from './agent-process.ts';

export interface AgentProcessesOptions<Sink extends EventSink> {
  readonly processes: 'shared' | 'perSession';
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  readonly start: (offers: ClientOffers) => Promise<AgentProcess<Sink>>;
}

/** The process that is no session's. */
const SPARE = '';

/** An agent that lived this long was not part of a crash loop. */
const HEALTHY_AFTER_MS = 60_000;

/** The processes of one hosted agent: started when they are needed, and after a crash with growing pauses. */
export class AgentProcesses<Sink extends EventSink> {
  readonly #options: AgentProcessesOptions<Sink>;
  readonly #running = new Map<string, Promise<AgentProcess<Sink>>>();
  /** Processes that nothing more is asked of, until they are gone. */
  readonly #ending = new Map<string, Promise<unknown>>();
  readonly #closing = new AbortController();
  #latest: AgentProcess<Sink> | undefined;
  /** Starts in a row that did not last. */
  #failures = 0;
  #spareOffers: string | undefined;

  constructor(options: AgentProcessesOptions<Sink>) {
    this.#options = options;
  }

  /** The process for a session; started where there is none, for a client that offers this. */
  for(sessionId: string, offers: ClientOffers): Promise<AgentProcess<Sink>> {
    const key = this.#options.processes === 'shared' ? SPARE : sessionId;
    const running = this.#running.get(key) ?? this.#takeSpare(key, offers);
    if (running) return running;
    if (key === SPARE) this.#spareOffers = flagsOf(offers);
    const starting = this.#start(key, offers);
    this.#running.set(key, starting);
    const forget = (process?: AgentProcess<Sink>): void => {
      for (const [name, each] of this.#running) {
        if (each !== starting) continue;
        this.#running.delete(name);
        if (process) this.#ending.set(name, process.connection.closed);
      }
    };
    starting.then(
      (process) => process.ended.then(() => forget(process)),
      () => forget(),
    );
    return starting;
  }

  /** With a process for each session, the one that was started to know the agent serves the first session that it fits. */
  #takeSpare(key: string, offers: ClientOffers): Promise<AgentProcess<Sink>> | undefined {
    const spare = this.#running.get(SPARE);
    if (this.#options.processes === 'shared' || !spare || this.#spareOffers !== flagsOf(offers)) return undefined;
    this.#running.delete(SPARE);
    this.#running.set(key, spare);
    return spare;
  }

  /** A process for what belongs to no session: the one that was used last, or a new one. */
  async any(offers: ClientOffers): Promise<AgentProcess<Sink>> {
    return this.#latest && !this.#latest.isOver ? this.#latest : await this.for(SPARE, offers);
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The host of this agent is closed.'));
    const ending = [...this.#ending.values()];
    const all = await Promise.allSettled(this.#running.values());
    await Promise.all(all.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)));
    await Promise.all(ending);
  }

  async #start(key: string, offers: ClientOffers): Promise<AgentProcess<Sink>> {
    // Two processes of one agent may quarrel about their files, so the old one must be gone.
    await this.#ending.get(key);
    this.#ending.delete(key);
    await this.#pause();
    try {
      const process = await this.#options.start(offers);
      if (this.#closing.signal.aborted) await process.close();
      this.#closing.signal.throwIfAborted();
      this.#latest = process;
      void process.connection.closed.then((error) => this.#ended(process, error));
      return process;
    } catch (error) {
      this.#failures += 1;
      throw error;
    }
  }

  #ended(process: AgentProcess<Sink>, error: unknown): void {
    const wasHealthy = Date.now() - process.startedAtMs >= HEALTHY_AFTER_MS;
    this.#failures = error === undefined || wasHealthy ? 0 : this.#failures + 1;
  }

  /** None before the first start, nor before the one after a crash. */
  async #pause(): Promise<void> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    if (this.#failures < 2) return;
    const { firstPauseMs, maxPauseMs } = this.#options;
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (this.#failures - 2)) * (0.5 + Math.random() / 2);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, pauseMs);
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          reject(signal.reason);
        },
        { once: true },
      );
    });
  }
}

/** What an agent is told of a client. */
function flagsOf({ readTextFile, writeTextFile, terminals }: ClientOffers): string {
  return JSON.stringify([readTextFile, writeTextFile, terminals]);
}
