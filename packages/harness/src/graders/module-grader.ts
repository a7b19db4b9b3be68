import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { HarnessError } from '../errors.ts';
import type { JsonFunction } from './grader.ts';
import { GraderError } from './grader-error.ts';
import { findTypeScriptLoader } from './typescript-loader.ts';
import { WORKER_PROGRAM } from './worker-program.ts';

export interface ModuleGraderOptions {
  readonly path: string;
  /** As the person wrote it. */
  readonly shown: string;
  /** Where the evaluation runs. */
  readonly cwd: string;
  /** Exports that are looked for, best first. */
  readonly names: readonly string[];
  readonly timeoutMs: number;
  readonly onLog: (text: string) => void;
}

/**
 * A module in a thread of its own: one that never comes to an end can be ended, what it prints does not get among the results, and it cannot end this process.
 * Calls may overlap.
 */
export async function startModule(options: ModuleGraderOptions): Promise<JsonFunction> {
  const grader = new ModuleGrader(options);
  await grader.load();
  return grader;
}

interface Call {
  readonly params: unknown;
  readonly settle: { resolve(value: unknown): void; reject(error: unknown): void };
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** What the thread says. */
type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly message: string }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

class ModuleGrader implements JsonFunction {
  readonly #options: ModuleGraderOptions;
  readonly #calls = new Map<number, Call>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(options: ModuleGraderOptions) {
    this.#options = options;
  }

  /** Starts the thread, and sees whether the module can be used. */
  load(): Promise<void> {
    const { path, shown, cwd, names, onLog } = this.#options;
    const worker = new Worker(WORKER_PROGRAM, {
      eval: true,
      workerData: { url: pathToFileURL(path).href, names, loader: findTypeScriptLoader(path, shown, cwd) },
      stdout: true,
      stderr: true,
      execArgv: [],
    });
    this.#worker = worker;
    worker.unref();
    for (const stream of [worker.stdout, worker.stderr]) stream.setEncoding('utf8').on('data', onLog);
    return new Promise((resolve, reject) => {
      const unusable = (why: string): void =>
        reject(new HarnessError('grader_unusable', `The grader ${shown} cannot be used: ${why}`));
      worker.on('message', (reply: Reply) => {
        if (reply.kind === 'ready') resolve();
        else if (reply.kind === 'unusable') unusable(reply.message);
        else this.#settle(reply);
      });
      worker.on('error', (error) => {
        unusable(error.message);
        this.#failAll(worker, `The grader ${shown} failed: ${error.message}`);
      });
      worker.on('exit', (code) => {
        unusable(`it ended with code ${code}.`);
        this.#failAll(worker, `The grader ${shown} ended its thread with code ${code}.`);
      });
    });
  }

  async call(params: unknown, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    if (!this.#worker) await this.load();
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const onAbort = (): void => {
        clearTimeout(this.#calls.get(id)?.timer);
        this.#calls.delete(id);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const release = (): void => signal?.removeEventListener('abort', onAbort);
      const settle = {
        resolve: (value: unknown) => {
          release();
          resolve(value);
        },
        reject: (error: unknown) => {
          release();
          reject(error);
        },
      };
      this.#calls.set(id, { params, settle, timer: undefined });
      this.#send(id);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #send(id: number): void {
    const call = this.#calls.get(id);
    if (!call) return;
    call.timer = setTimeout(() => this.#giveUp(id), this.#options.timeoutMs);
    this.#worker?.ref();
    this.#worker?.postMessage({ id, params: call.params });
  }

  #settle(reply: Extract<Reply, { readonly id: number }>): void {
    const call = this.#calls.get(reply.id);
    this.#calls.delete(reply.id);
    if (this.#calls.size === 0) this.#worker?.unref();
    if (!call) return;
    clearTimeout(call.timer);
    if (reply.kind === 'result') call.settle.resolve(reply.value);
    else call.settle.reject(new GraderError(`The grader ${this.#options.shown} failed: ${reply.message}`));
  }

  /** The thread may be stuck for good, so it is ended; what else was in it is asked again in a new one. */
  #giveUp(id: number): void {
    const { shown, timeoutMs } = this.#options;
    const late = this.#calls.get(id);
    this.#calls.delete(id);
    const others = [...this.#calls.keys()];
    for (const { timer } of this.#calls.values()) clearTimeout(timer);
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.removeAllListeners('exit');
    void worker?.terminate();
    late?.settle.reject(new GraderError(`The grader ${shown} took longer than ${timeoutMs} ms.`));
    if (others.length === 0) return;
    void this.load().then(
      () => {
        for (const each of others) this.#send(each);
      },
      () => {},
    );
  }

  #failAll(worker: Worker, message: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const [id, { settle, timer }] of this.#calls) {
      clearTimeout(timer);
      this.#calls.delete(id);
      settle.reject(new GraderError(message));
    }
  }
}
