import pg from 'pg';
import { connectOptions } from './connect-options.ts';
import { isBroken } from './postgres-fault.ts';
import { prepareConnection, type ServerProcess } from './server-inquiry.ts';
import { SilentStatements } from './silent-statements.ts';

export interface ConnectionsOptions {
  readonly url: string;
  readonly poolSize: number;
  /** How long a statement may stay without an answer before the server is asked about it. */
  readonly silenceMs: number;
}

/** Runs statements: one connection, in a transaction of ours or outside of any. */
export type Connection = Pick<pg.ClientBase, 'query'>;

/** The pool of connections to a server, in which none stays that has gone silent. */
export class Connections {
  readonly #pool: pg.Pool;
  readonly #statements: SilentStatements;
  readonly #processes = new Map<pg.ClientBase, ServerProcess>();
  readonly #inUse = new Set<pg.ClientBase>();

  constructor({ url, poolSize, silenceMs }: ConnectionsOptions) {
    this.#pool = new pg.Pool({
      ...connectOptions(url),
      max: poolSize,
      allowExitOnIdle: true,
      // The pool waits for it, although its types do not say so.
      onConnect: (client) => this.#prepare(client) as unknown as undefined,
    });
    // A broken connection is reported by the statement that needed it, or replaced at the next need.
    this.#pool.on('error', () => {});
    this.#pool.on('remove', (client) => void this.#processes.delete(client));
    this.#statements = new SilentStatements({
      url,
      silenceMs,
      processOf: (client) => this.#processes.get(client),
      idle: () => [...this.#processes.keys()].filter((client) => !this.#inUse.has(client)),
    });
  }

  get answeredAtMs(): number {
    return this.#statements.answeredAtMs;
  }

  get isSilent(): boolean {
    return this.#statements.isSilent;
  }

  /** Fails when there is no connection within `waitMs`. */
  async use<Result>(work: (connection: Connection) => Promise<Result>, waitMs: number): Promise<Result> {
    const client = await this.#take(waitMs);
    this.#inUse.add(client);
    let isUseless = false;
    try {
      return await work(this.#watched(client));
    } catch (error) {
      isUseless = isBroken(error);
      throw error;
    } finally {
      this.#inUse.delete(client);
      client.release(isUseless);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
    this.#statements.close();
  }

  async #take(waitMs: number): Promise<pg.PoolClient> {
    const taking = this.#pool.connect();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const deadline = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), waitMs);
    });
    const client = await Promise.race([taking, deadline]).finally(() => clearTimeout(timer));
    if (client) return client;
    taking.then(
      (late) => late.release(),
      () => undefined,
    );
    throw new Error('timeout exceeded when trying to connect');
  }

  async #prepare(client: pg.ClientBase): Promise<void> {
    client.on('error', () => {});
    this.#processes.set(client, await prepareConnection(client));
  }

  #watched(client: pg.PoolClient): Connection {
    const query = client.query.bind(client) as (...words: unknown[]) => Promise<unknown>;
    const watched = (...words: unknown[]): Promise<unknown> => this.#statements.watch(client, () => query(...words));
    return { query: watched as Connection['query'] };
  }
}
