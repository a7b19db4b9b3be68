import { backoffMs, pause } from '@parley/jsonrpc/internal';
import type { ClientOffers } from '@parley/session';
import type { AgentProcess, EventSink } from './agent-process.ts';

/** How many processes an agent has: one for all, one for each principal, or one for each session. */
export type ProcessSharing = 'shared' | 'perPrincipal' | 'perSession';

/** Whom a process is needed for. */
export interface ProcessUser {
  readonly principal: string;
  /** Undefined where it is needed for no session. */
  readonly sessionId?: string;
  /** What the client offers for which it is started, where none runs. */
  readonly offers: ClientOffers;
}

export interface AgentProcessesOptions<Sink extends EventSink> {
  readonly processes: ProcessSharing;
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
  /** Lets a principal have one more, or throws; returns what gives it back. */
  readonly admit?: ((principal: string | undefined) => () => void) | undefined;
  /** `principal` is undefined where all principals share the process. */
  readonly start: (offers: ClientOffers, principal: string | undefined) => Promise<AgentProcess<Sink>>;
}

/** Those who share processes: one principal, or all of them. */
interface Sharers<Sink extends EventSink> {
  readonly principal: string | undefined;
  /** The process that was started last. */
  latest: AgentProcess<Sink> | undefined;
  /** Starts in a row that did not last. */
  failures: number;
  /** What the client offered for which the process was started that is no session's. */
  spareOffers: string | undefined;
}

/** An agent that lived this long was not part of a crash loop. */
const HEALTHY_AFTER_MS = 60_000;

/**
 * The processes of one hosted agent: started when they are needed, and after a crash with growing pauses. Unless they are shared by
 * all, none is ever used for two principals, so that a login and what an agent remembers stay with one.
 */
export class AgentProcesses<Sink extends EventSink> {
  readonly #options: AgentProcessesOptions<Sink>;
  readonly #running = new Map<string, Promise<AgentProcess<Sink>>>();
  /** Processes that nothing more is asked of, until they are gone. */
  readonly #ending = new Map<string, Promise<unknown>>();
  readonly #sharers = new Map<string, Sharers<Sink>>();
  /** Those that have been started and are not gone. */
  readonly #started = new Set<AgentProcess<Sink>>();
  readonly #closing = new AbortController();

  constructor(options: AgentProcessesOptions<Sink>) {
    this.#options = options;
  }

  /** Those that run. */
  get running(): readonly AgentProcess<Sink>[] {
    return [...this.#started];
  }

  /** The process for a session; started where there is none. */
  for(user: ProcessUser): Promise<AgentProcess<Sink>> {
    const key = this.#keyOf(user);
    const running = this.#running.get(key) ?? this.#takeSpare(key, user);
    if (running) return running;
    const sharers = this.#sharersOf(user.principal);
    if (user.sessionId === undefined) sharers.spareOffers = flagsOf(user.offers);
    const starting = this.#start(key, sharers, user.offers);
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

  /** A process for what belongs to no session: the one of this principal that was started last, or a new one. */
  async any(user: Omit<ProcessUser, 'sessionId'>): Promise<AgentProcess<Sink>> {
    const { latest } = this.#sharersOf(user.principal);
    return latest && !latest.isOver ? latest : await this.for({ principal: user.principal, offers: user.offers });
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('The host of this agent is closed.'));
    const ending = [...this.#ending.values()];
    const all = await Promise.allSettled(this.#running.values());
    await Promise.all(all.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)));
    await Promise.all(ending);
  }

  /** With a process for each session, the one that was started to know the agent serves the first session that it fits. */
  #takeSpare(key: string, { principal, offers }: ProcessUser): Promise<AgentProcess<Sink>> | undefined {
    if (this.#options.processes !== 'perSession') return undefined;
    const spareKey = this.#keyOf({ principal });
    const spare = this.#running.get(spareKey);
    if (!spare || this.#sharersOf(principal).spareOffers !== flagsOf(offers)) return undefined;
    this.#running.delete(spareKey);
    this.#running.set(key, spare);
    return spare;
  }

  #keyOf({ principal, sessionId = '' }: Pick<ProcessUser, 'principal' | 'sessionId'>): string {
    const { processes } = this.#options;
    if (processes === 'shared') return '';
    return processes === 'perPrincipal' ? principal : JSON.stringify([principal, sessionId]);
  }

  #sharersOf(given: string): Sharers<Sink> {
    const principal = this.#options.processes === 'shared' ? undefined : given;
    const key = principal ?? '';
    const sharers = this.#sharers.get(key) ?? { principal, latest: undefined, failures: 0, spareOffers: undefined };
    this.#sharers.set(key, sharers);
    return sharers;
  }

  async #start(key: string, sharers: Sharers<Sink>, offers: ClientOffers): Promise<AgentProcess<Sink>> {
    // Two processes of one agent may quarrel about their files, so the old one must be gone.
    await this.#ending.get(key);
    this.#ending.delete(key);
    await this.#pause(sharers.failures);
    const release = this.#options.admit?.(sharers.principal);
    try {
      const process = await this.#options.start(offers, sharers.principal);
      if (this.#closing.signal.aborted) await process.close();
      this.#closing.signal.throwIfAborted();
      sharers.latest = process;
      this.#started.add(process);
      void process.connection.closed.then((error) => {
        release?.();
        this.#ended(sharers, process, error);
      });
      return process;
    } catch (error) {
      release?.();
      sharers.failures += 1;
      throw error;
    }
  }

  #ended(sharers: Sharers<Sink>, process: AgentProcess<Sink>, error: unknown): void {
    this.#started.delete(process);
    if (sharers.latest === process) sharers.latest = undefined;
    const wasHealthy = Date.now() - process.startedAtMs >= HEALTHY_AFTER_MS;
    sharers.failures = error === undefined || wasHealthy ? 0 : sharers.failures + 1;
  }

  /** None before the first start, nor before the one after a crash. */
  async #pause(failures: number): Promise<void> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    if (failures < 2) return;
    const { firstPauseMs, maxPauseMs } = this.#options;
    await pause(backoffMs(failures - 1, { firstMs: firstPauseMs, maxMs: maxPauseMs, spread: [0.5, 1] }), signal);
    signal.throwIfAborted();
  }
}

/** What an agent is told of a client. */
function flagsOf({ readTextFile, writeTextFile, terminals }: ClientOffers): string {
  return JSON.stringify([readTextFile, writeTextFile, terminals]);
}
