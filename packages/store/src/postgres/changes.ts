import pg from 'pg';
import { later } from '../backend/clock.ts';
import type { SessionKey } from '../backend/operations.ts';
import { connectOptions, socketOf } from './connect-options.ts';
import { prepareConnection, withDeadline } from './server-inquiry.ts';

export interface ChangesOptions {
  readonly url: string;
  readonly channel: string;
  /** How often to look all the same: a hint may be lost with the one who would have given it. */
  readonly lookMs: number;
  /** How often to look while no hints come. */
  readonly pollMs: number;
  /** How often the connection is tried, and how long an answer may take: over one that went silent no hints come. */
  readonly pingMs: number;
}

type OnChange = (sessions?: readonly SessionKey[]) => void;

/** How long changes are gathered before they are told as one. */
const GATHER_MS = 2;
const RECONNECT_MS = 500;
const LISTEN_MS = 10_000;
/** What a notification can carry, less some room. */
const MAX_PAYLOAD_BYTES = 7000;

/**
 * Hints between the programs that share a database: whoever has committed tells which sessions have changed. They are told after
 * the commit and not within it, since commits that notify wait for each other. A hint may get lost; the log is the truth, and those
 * who follow look into it every so often.
 */
export class Changes {
  readonly #options: ChangesOptions;
  /** Tells what this program has said itself. */
  readonly #self = crypto.randomUUID();
  readonly #gathered = new Map<string, SessionKey>();
  #listeners = new Set<OnChange>();
  #client: pg.Client | undefined;
  #isListening = false;
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lookTimer: ReturnType<typeof setTimeout> | undefined;
  #connecting = false;

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** Tells others that sessions have changed, soon. `send` runs a statement on any connection. */
  tell(sessions: readonly SessionKey[], send: (text: string, values: readonly string[]) => Promise<unknown>): void {
    if (this.#isClosed) return;
    for (const { principal, sessionId } of sessions) {
      this.#gathered.set(`${principal}\0${sessionId}`, { principal, sessionId });
    }
    this.#timer ??= later(GATHER_MS, () => {
      this.#timer = undefined;
      const keys = [...this.#gathered.values()].map(({ principal, sessionId }) => [principal, sessionId]);
      this.#gathered.clear();
      const payload = JSON.stringify([this.#self, ...keys]);
      // What does not fit is told without names: then all look.
      const text = Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES ? JSON.stringify([this.#self]) : payload;
      void send('SELECT pg_notify($1, $2)', [this.#options.channel, text]).catch(() => undefined);
    });
  }

  watch(onChange: OnChange): () => void {
    // One function may watch twice, and stop once.
    const listener: OnChange = (sessions) => onChange(sessions);
    this.#listeners.add(listener);
    void this.#connect();
    this.#lookLater();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#listeners.clear();
    this.#stop();
  }

  async #connect(): Promise<void> {
    if (this.#client || this.#connecting || this.#isClosed || this.#listeners.size === 0) return;
    this.#connecting = true;
    const client = new pg.Client({ ...connectOptions(this.#options.url), query_timeout: LISTEN_MS });
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''));
    try {
      await client.connect();
      this.#client = client;
      await prepareConnection(client);
      await client.query(`LISTEN "${this.#options.channel}"`);
      // The program may end while it listens.
      socketOf(client).unref();
      this.#isListening = true;
      this.#pingLater(client);
      // What was committed before is not told any more.
      this.#tellAll();
    } catch {
      this.#lose(client);
    } finally {
      this.#connecting = false;
      if (this.#listeners.size === 0) this.#stop();
    }
  }

  #pingLater(client: pg.Client): void {
    const { pingMs } = this.#options;
    later(pingMs, () => {
      if (this.#client !== client) return;
      client.query(withDeadline({ text: 'SELECT 1' }, pingMs)).then(
        () => this.#pingLater(client),
        () => this.#lose(client),
      );
    });
  }

  #lose(client: pg.Client): void {
    if (this.#client === client) {
      this.#client = undefined;
      this.#isListening = false;
    }
    void client.end().catch(() => undefined);
    if (this.#listeners.size > 0 && !this.#isClosed) later(RECONNECT_MS, () => void this.#connect());
  }

  #stop(): void {
    clearTimeout(this.#lookTimer);
    this.#lookTimer = undefined;
    const client = this.#client;
    this.#client = undefined;
    this.#isListening = false;
    void client?.end().catch(() => undefined);
  }

  #hear(payload: string): void {
    try {
      const [from, ...keys] = JSON.parse(payload) as [string, ...(readonly [string, string])[]];
      if (from === this.#self) return;
      this.#tellAll(keys.length > 0 ? keys.map(([principal, sessionId]) => ({ principal, sessionId })) : undefined);
    } catch {
      this.#tellAll();
    }
  }

  #lookLater(): void {
    const { lookMs, pollMs } = this.#options;
    this.#lookTimer ??= later(this.#isListening ? lookMs : pollMs, () => {
      this.#lookTimer = undefined;
      if (this.#listeners.size === 0) return;
      this.#tellAll();
      this.#lookLater();
    });
  }

  #tellAll(sessions?: readonly SessionKey[]): void {
    for (const listener of this.#listeners) listener(sessions);
  }
}
