import type pg from 'pg';
import { later } from '../backend/clock.ts';
import { socketOf } from './connect-options.ts';
import { endWaiting, findWorking, openInquiry, type ServerProcess } from './server-inquiry.ts';

export interface SilentStatementsOptions {
  readonly url: string;
  /** How long a statement may stay without an answer before the server is asked about it. */
  readonly silenceMs: number;
  readonly processOf: (client: pg.ClientBase) => ServerProcess | undefined;
  /** The connections that nobody uses at the moment. */
  readonly idle: () => readonly pg.ClientBase[];
}

/** A statement on its way. */
interface Statement {
  readonly client: pg.ClientBase;
  /** When it was sent, or when the server was last seen to work on it or to send its answer. */
  aliveAtMs: number;
  bytesRead: number;
}

/** How many looks at the waiting statements there are in `silenceMs`. */
const LOOKS = 6;
/** For how many looks an answer on its way may arrive after the server's word that it was sent. */
const LATE_LOOKS = 2;

/**
 * Finds connections that have gone silent: the other machine is lost, or a router on the way has forgotten the connection, and neither
 * end is informed. A slow statement looks the same from here, so the server is asked, over a new connection, whether it works on the
 * statement. If it does not, or does not answer, the connection is destroyed and the statement fails.
 */
export class SilentStatements {
  readonly #options: SilentStatementsOptions;
  readonly #statements = new Set<Statement>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #isSilent = false;
  #isClosed = false;
  #answeredAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: SilentStatementsOptions) {
    this.#options = options;
  }

  /** When the server last answered anything. */
  get answeredAtMs(): number {
    return this.#answeredAtMs;
  }

  /** Whether a statement is without an answer, and the server does not work on it, or does not say so. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  async watch<Result>(client: pg.ClientBase, send: () => Promise<Result>): Promise<Result> {
    const statement = { client, aliveAtMs: performance.now(), bytesRead: socketOf(client).bytesRead };
    this.#statements.add(statement);
    this.#lookLater();
    try {
      const result = await send();
      this.#answeredAtMs = performance.now();
      return result;
    } finally {
      this.#statements.delete(statement);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #lookLater(): void {
    if (this.#isAsking || this.#isClosed || this.#timer) return;
    const look = (): void => {
      this.#timer = undefined;
      this.#noteProgress();
      const silent = this.#findSilent();
      if (silent.length === 0) {
        if (this.#statements.size > 0) this.#lookLater();
        return;
      }
      this.#isAsking = true;
      void this.#ask(silent).finally(() => {
        this.#isAsking = false;
        this.#isSilent = false;
        if (this.#statements.size > 0) this.#lookLater();
      });
    };
    this.#timer = later(this.#options.silenceMs / LOOKS, look);
  }

  #findSilent(): Statement[] {
    const sinceMs = performance.now() - this.#options.silenceMs;
    return [...this.#statements].filter(({ aliveAtMs }) => aliveAtMs <= sinceMs);
  }

  #stillSilent(statements: readonly Statement[]): Statement[] {
    const silent = new Set(this.#findSilent());
    return statements.filter((statement) => silent.has(statement));
  }

  /** A large answer takes its time to arrive. */
  #noteProgress(): void {
    for (const statement of this.#statements) {
      const { bytesRead } = socketOf(statement.client);
      if (bytesRead === statement.bytesRead) continue;
      statement.bytesRead = bytesRead;
      this.#confirm(statement);
    }
  }

  #confirm(statement: Statement): void {
    statement.aliveAtMs = performance.now();
    this.#answeredAtMs = statement.aliveAtMs;
  }

  async #ask(silent: readonly Statement[]): Promise<void> {
    const waiting = later(this.#options.silenceMs, () => {
      this.#isSilent = true;
    });
    const inquiry = await openInquiry(this.#options.url);
    clearTimeout(waiting);
    // A server without a free connection lives, and nothing more is known: the deadline of each statement stays.
    if (inquiry === 'refused') for (const statement of silent) this.#confirm(statement);
    else {
      await this.#judge(silent, inquiry);
      void inquiry?.end().catch(() => undefined);
    }
  }

  async #judge(silent: readonly Statement[], inquiry: pg.Client | undefined): Promise<void> {
    const { processOf, idle, silenceMs } = this.#options;
    const processes = silent.flatMap(({ client }) => processOf(client) ?? []);
    const working = await (inquiry && findWorking(inquiry, processes).catch(() => undefined));
    for (const statement of silent) {
      if (working?.has(processOf(statement.client)?.pid ?? 0)) this.#confirm(statement);
    }
    if (this.#stillSilent(silent).length === 0) return;
    this.#isSilent = true;
    await new Promise<void>((resolve) => void later((silenceMs / LOOKS) * LATE_LOOKS, resolve));
    this.#noteProgress();
    const lost = this.#stillSilent(silent).map(({ client }) => client);
    if (lost.length === 0) return;
    // Idle connections have probably gone the same way, and new ones cost less than to find out.
    const given = [...lost, ...idle()];
    const ended = given.flatMap((client) => processOf(client) ?? []);
    for (const client of given) socketOf(client).destroy();
    if (inquiry) await endWaiting(inquiry, ended).catch(() => undefined);
  }
}
