import { Buffer } from 'node:buffer';
import {
  type Backend,
  type Input,
  OperationError,
  type OperationName,
  type Output,
  type SessionKey,
} from '../backend/operations.ts';
import { StoreError } from '../contract/errors.ts';
import { newOwner } from '../node/process-owner.ts';
import { appendGroup } from './append-group.ts';
import { CallQueue, type QueuedCall } from './call-queue.ts';
import { Changes } from './changes.ts';
import { Database } from './database.ts';
import { eventReads } from './event-reads.ts';
import { quoteName } from './open-schema.ts';
import { areAppended, type Proofs, proofs } from './proofs.ts';
import { EventPurger } from './purge-events.ts';
import { type Reads, sessionReads, sessionWrites, type Writes } from './session-operations.ts';

export interface PostgresBackendOptions {
  readonly url: string;
  readonly schema: string;
  readonly poolSize: number;
  readonly retryMs: number;
  readonly silenceMs: number;
  readonly lookMs: number;
  readonly pollMs: number;
  /** A clock in place of the database's. */
  readonly now: (() => number) | undefined;
}

/** Carries operations to a PostgreSQL server, over several connections, in the order that each session needs. */
export class PostgresBackend implements Backend {
  readonly isShared = true;
  readonly hasStrictLeases = true;
  readonly newOwner: () => string = newOwner;
  readonly byteLength = (text: string): number => Buffer.byteLength(text);
  readonly #options: PostgresBackendOptions;
  readonly #schema: string;
  readonly #database: Database;
  readonly #changes: Changes;
  readonly #purger: EventPurger;
  readonly #reads: Reads;
  readonly #writes: Writes;
  readonly #proofs: Proofs;
  readonly #queue = new CallQueue();
  #atWork = 0;
  #isClosed = false;
  #whenIdle: (() => void) | undefined;

  constructor(options: PostgresBackendOptions) {
    const { url, lookMs, pollMs, silenceMs } = options;
    const channel = `parley ${options.schema}`.replaceAll('"', '');
    this.#options = options;
    this.#schema = quoteName(options.schema);
    this.#database = new Database(options);
    this.#changes = new Changes({ url, channel, lookMs, pollMs, pingMs: silenceMs * 2 });
    this.#purger = new EventPurger(this.#database, this.#schema);
    this.#reads = { ...sessionReads(this.#schema), ...eventReads(this.#schema) };
    this.#writes = sessionWrites(this.#schema);
    this.#proofs = proofs(this.#schema);
  }

  call<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    if (this.#isClosed) return Promise.reject(new StoreError('store_closed', 'The session store is closed.'));
    // Asked on behalf of nobody's call: it need not wait for any.
    if (name === 'heads' || name === 'principals') return this.#read(name, input, undefined) as Promise<Output<Name>>;
    return new Promise<Output<Name>>((resolve, reject) => {
      this.#queue.add({ name, input, timeMs: this.#options.now?.(), resolve, reject } as QueuedCall);
      // Calls of one tick may go together.
      queueMicrotask(() => this.#begin());
    });
  }

  check(): Promise<void> {
    return this.#database.check();
  }

  watch(onChange: (sessions?: readonly SessionKey[]) => void): () => void {
    return this.#changes.watch(onChange);
  }

  /** Calls that were made before are still done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#purger.close();
    if (this.#atWork > 0 || !this.#queue.isEmpty) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    this.#changes.close();
    await this.#database.close();
  }

  #begin(): void {
    while (this.#atWork < this.#options.poolSize) {
      const calls = this.#queue.take();
      if (!calls) break;
      this.#atWork++;
      void this.#perform(calls).finally(() => {
        this.#atWork--;
        this.#queue.done(calls);
        this.#begin();
      });
    }
    if (this.#atWork === 0 && this.#queue.isEmpty) this.#whenIdle?.();
  }

  async #perform(calls: readonly QueuedCall[]): Promise<void> {
    try {
      const outputs = calls.every(isAppend)
        ? await this.#append(calls)
        : await Promise.all(calls.map((call) => this.#one(call)));
      for (const [index, call] of calls.entries()) {
        const output = outputs[index];
        if (output instanceof OperationError) call.reject(output);
        else call.resolve(output as never);
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  async #append(calls: readonly QueuedCall<'append'>[]): Promise<readonly unknown[]> {
    const schema = this.#schema;
    const outputs = await this.#database.write(
      (transaction) => appendGroup(transaction, calls, schema),
      (connection, written) => areAppended(connection, calls, { outputs: written, schema }),
    );
    const changed = calls.filter((_, index) => {
      const output = outputs[index];
      return output !== undefined && !(output instanceof OperationError) && output.last >= output.first;
    });
    if (changed.length > 0) this.#tell(changed.map(({ input }) => input));
    return outputs;
  }

  async #one({ name, input, timeMs }: QueuedCall): Promise<unknown> {
    if (name in this.#reads) return this.#read(name as keyof Reads, input, timeMs);
    const write = this.#writes[name as keyof Writes] as (...words: unknown[]) => Promise<unknown>;
    const isThere = this.#proofs[name as keyof Proofs] as ((...words: unknown[]) => Promise<boolean>) | undefined;
    const output = await this.#database.write(
      ({ connection, nowMs }) => write({ connection, nowMs: timeMs ?? nowMs }, input),
      isThere && ((connection, written) => isThere(connection, input, written)),
    );
    if (name === 'create' || name === 'remove' || name === 'fork') this.#tell([changedBy(input)]);
    if (name === 'remove' || name === 'trim') this.#purger.begin();
    return output;
  }

  #read(name: keyof Reads, input: QueuedCall['input'], timeMs: number | undefined): Promise<unknown> {
    const read = this.#reads[name] as (...words: unknown[]) => Promise<unknown>;
    return this.#database.read((connection) => read(connection, input, timeMs));
  }

  #tell(sessions: readonly SessionKey[]): void {
    this.#changes.tell(sessions, (text, values) =>
      this.#database.read((connection) => connection.query(text, [...values])),
    );
  }
}

function isAppend(call: QueuedCall): call is QueuedCall<'append'> {
  return call.name === 'append';
}

/** The session that is new, or gone. */
function changedBy(input: QueuedCall['input']): SessionKey {
  const { principal, sessionId, newId } = input as SessionKey & { readonly newId?: string };
  return { principal, sessionId: newId ?? sessionId };
}
