import { type Database, later } from './database.ts';

/** Events of removed sessions that are deleted at a time, so that nobody waits long for it. */
const PURGE_EVENTS = 5000;
const PAUSE_MS = 20;

/** Deletes the events of removed sessions, bit by bit; several programs that do it at once do not wait for each other. */
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
    // Only tidying up: whoever removes the next session tries again.
    const isMore = this.#isClosed ? false : await this.#deleteSome().catch(() => false);
    this.#isAtWork = false;
    if (isMore) this.begin();
  }

  #deleteSome(): Promise<boolean> {
    const schema = this.#schema;
    return this.#database.write(async ({ connection }) => {
      const { rows } = await connection.query(`SELECT session FROM ${schema}.removal LIMIT 1 FOR UPDATE SKIP LOCKED`);
      const [removal] = rows as readonly { readonly session: number }[];
      if (!removal) return false;
      const { rowCount } = await connection.query(
        `DELETE FROM ${schema}.event WHERE session = $1 AND seq IN (
           SELECT seq FROM ${schema}.event WHERE session = $1 ORDER BY seq LIMIT ${PURGE_EVENTS}
         )`,
        [removal.session],
      );
      if ((rowCount ?? 0) < PURGE_EVENTS) {
        await connection.query(`DELETE FROM ${schema}.removal WHERE session = $1`, [removal.session]);
      }
      return true;
    });
  }
}
