import { statSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { StoreError } from '../errors.ts';
import { type Backend, type Input, OperationError, type OperationName, type Output } from '../operations.ts';
import { startThread } from './start-thread.ts';
import type { Call, Reply, ThreadData, ToThread } from './thread-messages.ts';

export interface ThreadBackendOptions extends ThreadData {
  /** How often to look for events that other processes have written, while someone follows. */
  readonly pollIntervalMs: number;
}

/**
 * Looks at the file's times between two questions to the thread. The times are nearly free but coarse: two commits of one
 * moment can leave the same, which the question after the next look, or at worst the next regular one, makes up for.
 */
const LOOKS_PER_QUESTION = 10;
const QUESTIONS_PER_CHANGE = 2;

interface Waiting {
  resolve(output: never): void;
  reject(error: Error): void;
}

/** Carries operations to the store's thread. The thread starts with the first call, and anew should it ever break. */
export class ThreadBackend implements Backend {
  readonly #options: ThreadBackendOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #outbox: Call[] = [];
  #lastId = 0;
  #isClosed = false;

  constructor(options: ThreadBackendOptions) {
    this.#options = options;
  }

  call<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    return this.#send({ id: ++this.#lastId, name, input } as Call);
  }

  watch(onChange: () => void): () => void {
    let last: number | undefined;
    let isAsking = false;
    const ask = async (): Promise<void> => {
      if (isAsking) return;
      isAsking = true;
      try {
        const version = await this.#send<number>({ id: ++this.#lastId, name: 'version' });
        if (last !== undefined && version !== last) onChange();
        last = version;
      } catch {
        // A follower that is woken meets the fault itself when it reads.
        onChange();
      } finally {
        isAsking = false;
      }
    };
    let times: string | undefined;
    let quietLooks = 0;
    const look = (): void => {
      const before = times;
      times = timesOf(`${this.#options.path}-wal`);
      quietLooks = times === before ? quietLooks + 1 : 0;
      if (quietLooks < QUESTIONS_PER_CHANGE || quietLooks % LOOKS_PER_QUESTION === 0) void ask();
    };
    look();
    const timer = setInterval(look, this.#options.pollIntervalMs);
    return () => clearInterval(timer);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (!worker) return;
    this.#flush();
    worker.ref();
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage('close' satisfies ToThread);
    await exited;
  }

  #send<Result>(call: Call): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new StoreError('store_closed', 'The session store is closed.'));
    return new Promise<Result>((resolve, reject) => {
      // Calls of one tick cross together.
      if (this.#outbox.push(call) === 1) queueMicrotask(() => this.#flush());
      this.#waiting.set(call.id, { resolve, reject });
    });
  }

  #flush(): void {
    if (this.#outbox.length === 0) return;
    const calls = this.#outbox;
    this.#outbox = [];
    try {
      this.#worker ??= this.#start();
      // The process stays alive for what is not yet answered, and for nothing else.
      this.#worker.ref();
      this.#worker.postMessage(calls satisfies ToThread);
    } catch (error) {
      this.#fail(this.#worker, error);
    }
  }

  #start(): Worker {
    const { pollIntervalMs: _, ...data } = this.#options;
    const worker = startThread(data);
    worker.on('message', (replies: readonly Reply[]) => this.#settle(replies));
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', () => this.#fail(worker, undefined));
    return worker;
  }

  #settle(replies: readonly Reply[]): void {
    for (const reply of replies) {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if ('output' in reply) waiting?.resolve(reply.output as never);
      else waiting?.reject(new OperationError(reply.fault.code, reply.fault.sessionId, reply.fault.message));
    }
    if (this.#waiting.size === 0) this.#worker?.unref();
  }

  #fail(worker: Worker | undefined, cause: unknown): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    const why = cause instanceof Error ? ` (${cause.message})` : '';
    const message = `The thread of the session store ${this.#options.path} ended${why}; whether this call was saved is unknown.`;
    for (const { reject } of waiting) reject(new StoreError('store_unavailable', message, { cause }));
  }
}

/** Every commit, whoever makes it, is written to the write-ahead log first. */
function timesOf(file: string): string {
  const { size, mtimeNs, ino } = statSync(file, { bigint: true, throwIfNoEntry: false }) ?? {};
  return `${ino} ${size} ${mtimeNs}`;
}
