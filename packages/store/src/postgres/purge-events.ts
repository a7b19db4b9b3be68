import { later } from '../backend/clock.ts';
import { MAX_SESSION_EVENTS } from '../contract/limits.ts';
import type { Connection, Database } from './database.ts';

/** Events that are deleted at a time, so that nobody waits long for it. */
const PURGE_EVENTS = 5000;
const PAUSE_MS = 20;
/** More than any event's number. */
const MAX_SEQ = MAX_SESSION_EVENTS + 1;

/** Deletes the events of removed sessions, and those that were trimmed away, bit by bit; several programs that do it at once do not wait for each other. */
export class EventPurger {
  readonly #database: Database;
  readonly #schema: string;
  #isAtWork = false;
  #isClosed = false;

  constructor(database: Database, schema: string) {
    this.#database = database;
    this.#schema = schema;
  }

  begin(): void {
    if (this.#isAtWork || this.#isClosed) return;
    this.#isAtWork = true;
    later(PAUSE_MS, () => void this.#work());
  }

  close(): void {
    this.#isClosed = true;
  }

  async #work(): Promise<void> {
    // Only tidying up: whoever removes or trims the next session tries again.
    const isMore = this.#isClosed ? false : await this.#deleteSome().catch(() => false);
    this.#isAtWork = false;
    if (isMore) this.begin();
  }

  #deleteSome(): Promise<boolean> {
    const schema = this.#schema;
    return this.#database.write(async ({ connection }) => {
      const { rows } = await connection.query(`SELECT session FROM ${schema}.removal LIMIT 1 FOR UPDATE SKIP LOCKED`);
      const [removal] = rows as readonly { readonly session: number }[];
      if (!removal) return this.#deleteTrimmed(connection);
      if (await this.#deleteBefore(connection, removal.session, MAX_SEQ)) {
        await connection.query(`DELETE FROM ${schema}.removal WHERE session = $1`, [removal.session]);
      }
      return true;
    });
  }

  async #deleteTrimmed(connection: Connection): Promise<boolean> {
    const schema = this.#schema;
    const { rows } = await connection.query(
      `SELECT trimming.session, coalesce(trimmed_to, 0) AS trimmed_to
       FROM ${schema}.trimming LEFT JOIN ${schema}.session ON num = trimming.session LIMIT 1 FOR UPDATE OF trimming SKIP LOCKED`,
    );
    const [trimming] = rows as readonly { readonly session: number; readonly trimmed_to: number }[];
    if (!trimming) return false;
    if (await this.#deleteBefore(connection, trimming.session, trimming.trimmed_to)) {
      await connection.query(`DELETE FROM ${schema}.trimming WHERE session = $1`, [trimming.session]);
    }
    return true;
  }

  /** Whether all of them are gone. */
  async #deleteBefore(connection: Connection, session: number, seq: number): Promise<boolean> {
    const schema = this.#schema;
    const { rowCount } = await connection.query(
      `DELETE FROM ${schema}.event WHERE session = $1 AND seq IN (
         SELECT seq FROM ${schema}.event WHERE session = $1 AND seq < $2 ORDER BY seq LIMIT ${PURGE_EVENTS}
       )`,
      [session, seq],
    );
    return (rowCount ?? 0) < PURGE_EVENTS;
  }
}
