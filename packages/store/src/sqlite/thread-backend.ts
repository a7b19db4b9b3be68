import type { Worker } from 'node:worker_threads';
import { Backoff } from '@parley/jsonrpc/internal';
import { type Backend, type Input, OperationError, type OperationName, type Output } from '../backend/operations.ts';
import { StoreError } from '../contract/errors.ts';
import { FOLLOW_BACKOFF } from '../follow/followers.ts';
import { missingDriver } from '../node/missing-driver.ts';
import { newOwner } from '../node/process-owner.ts';
import type { DatabaseOptions } from './open-database.ts';
import { startThread } from './start-thread.ts';
import type { Call, FromThread, LostFile, Reply, ToThread } from './thread-messages.ts';
import { watchFile } from './watch-file.ts';

export interface ThreadBackendOptions extends DatabaseOptions {
  /** How often to look for events that other processes have written, while someone follows. */
  readonly pollIntervalMs: number;
  readonly now: () => number;
}

interface Waiting {
  readonly call: Call;
  resolve(output: never): void;
  reject(error: Error): void;
}

/** Carries operations to the store's thread. The thread starts with the first call, and anew when it is worn or broken. */
export class ThreadBackend implements Backend {
  readonly isShared = true;
  readonly newOwner: () => string = newOwner;
  readonly #options: ThreadBackendOptions;
  /** Calls that still have to cross, and those that have. */
  #outbox: Waiting[] = [];
  readonly #crossed = new Map<number, Waiting>();
  #worker: Worker | undefined;
  /** The end of the worker, once that is wanted. Nothing more crosses to it, and only then the next one starts. */
  #ending: Promise<void> | undefined;
  #lost: LostFile | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(options: ThreadBackendOptions) {
    this.#options = options;
  }

  call<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    return this.#send({ id: ++this.#lastId, name, input, nowMs: this.#options.now() } as Call);
  }

  watch(onChange: () => void): () => void {
    let last: string | undefined;
    let isAsking = false;
    const pause = new Backoff(FOLLOW_BACKOFF);
    let pausedUntil = 0;
    const ask = async (): Promise<void> => {
      if (isAsking || performance.now() < pausedUntil) return;
      isAsking = true;
      try {
        const version = await this.#send<string>({ id: ++this.#lastId, name: 'version' });
        if (last !== undefined && version !== last) onChange();
        last = version;
        pause.reset();
      } catch {
        pausedUntil = performance.now() + pause.next();
        // A follower that is woken meets the fault itself when it reads.
        onChange();
      } finally {
        isAsking = false;
      }
    };
    return watchFile({ path: this.#options.path, intervalMs: this.#options.pollIntervalMs, ask: () => void ask() });
  }

  /** Calls that were made before are still done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#ending;
    this.#flush();
    if (this.#worker) await this.#end(this.#worker);
  }

  #send<Result>(call: Call): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new StoreError('store_closed', 'The session store is closed.'));
    return new Promise<Result>((resolve, reject) => {
      // Calls of one tick cross together.
      if (this.#outbox.push({ call, resolve, reject }) === 1) queueMicrotask(() => this.#flush());
    });
  }

  #flush(): void {
    if (this.#outbox.length === 0 || this.#ending) return;
    const calls = this.#outbox;
    this.#outbox = [];
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage(calls.map(({ call }) => call) satisfies ToThread);
    } catch (cause) {
      for (const { reject } of calls)
        reject(this.#ended('could not be reached; nothing of this call was saved', cause));
      return;
    }
    for (const waiting of calls) this.#crossed.set(waiting.call.id, waiting);
    // The process stays alive for what is not yet answered, and for nothing else.
    this.#worker.ref();
  }

  #start(): Worker {
    const { path, maxBytes, busyTimeoutMs } = this.#options;
    const worker = startThread({ path, maxBytes, busyTimeoutMs, lost: this.#lost });
    let cause: unknown;
    worker.on('message', ({ replies, worn }: FromThread) => {
      for (const reply of replies) this.#settle(reply);
      if (worn) {
        this.#lost = worn.lost;
        void this.#end(worker);
      } else if (this.#crossed.size === 0 && !this.#ending) worker.unref();
    });
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => this.#forget(cause));
    return worker;
  }

  #settle(reply: Reply): void {
    const waiting = this.#crossed.get(reply.id);
    this.#crossed.delete(reply.id);
    if ('output' in reply) waiting?.resolve(reply.output as never);
    else waiting?.reject(new OperationError(reply.fault.code, reply.fault.sessionId, reply.fault.message));
  }

  #end(worker: Worker): Promise<void> {
    if (this.#ending) return this.#ending;
    worker.ref();
    this.#ending = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage('close' satisfies ToThread);
    return this.#ending;
  }

  /** Calls that the thread had received were answered before it closed; after any other end they never will be. */
  #forget(cause: unknown): void {
    this.#worker = undefined;
    this.#ending = undefined;
    const crossed = [...this.#crossed.values()];
    this.#crossed.clear();
    for (const { reject } of crossed) reject(this.#ended('ended; whether this call was saved is unknown', cause));
    this.#flush();
  }

  #ended(what: string, cause: unknown): StoreError {
    const missing = missingDriver('libsql', cause);
    if (missing) return missing;
    const why = cause instanceof Error ? ` (${cause.message})` : '';
    return new StoreError('store_unavailable', `The thread of the session store ${this.#options.path} ${what}${why}.`, {
      cause,
    });
  }
}
