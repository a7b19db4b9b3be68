import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type LoggedEvent,
  type NewEvent,
  type SessionLog,
  SessionNotFoundError,
  type SessionRecord,
  type SessionStore,
  StoreError,
} from '@parley/store';
import type { Places } from '../../places.ts';
import type { SessionMeta } from '../../run/settings/session-meta.ts';
import { openStorePlace, type StorePlace } from '../../stores/store-place.ts';
import { makeHostedLog } from './hosted-logs.ts';
import {
  fromOwnLog,
  fromRecord,
  idOfName,
  isOwn,
  logIdOf,
  newRecordId,
  type RecordFacts,
  type SavedSession,
  toMetadata,
} from './saved-session.ts';

/** Under whose name our records are kept; logs are kept under `local` for our own agent, and `hosted` for others, in the same file. */
const RECORDS = 'parley-cli';
const HOSTED = 'hosted';

const PAGE = 1000;
/** How often it is looked whether a session has been opened. */
const POLL_MS = 100;

export interface NewSaved {
  readonly id?: string;
  readonly name?: string | undefined;
  readonly agent: string;
  readonly command?: string | undefined;
  readonly agentSessionId?: string;
  readonly hosted?: string;
  readonly cwd: string;
  readonly title?: string | undefined;
  readonly meta?: SessionMeta | undefined;
  readonly settings?: Readonly<Record<string, string | boolean>>;
  readonly mode?: string | undefined;
}

/** What our own agent's log has of a session. */
export interface OwnConversation {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly events: readonly NewEvent[];
}

/** Sessions that a server keeps, of one of its agents and one principal. */
export interface ServerSessions {
  /** The file, or the address of the database. */
  readonly place: StorePlace;
  readonly agent: string;
  /** Whose they are in the store. */
  readonly owner: string;
}

export interface FollowOptions {
  readonly after?: number;
  readonly signal?: AbortSignal;
}

/** The file in which sessions of this person are. */
export function sessionsFile({ state }: Pick<Places, 'state'>): StorePlace {
  return join(state, 'sessions.db');
}

/**
 * All sessions that can be found again, in `sessions.db`. The truth is the log of a session, which our own agent or the host of another
 * one writes; a record adds a name and settings. Older versions kept the conversations with other agents in the records.
 */
export class SessionRecords implements AsyncDisposable {
  readonly store: SessionStore;
  readonly #records: SessionLog;
  readonly #own: SessionLog;
  readonly #hosted: SessionLog;
  readonly #server: ServerSessions | undefined;

  /** With a server's sessions, these alone are there, and there are no records of ours. */
  constructor(places: Places, server?: ServerSessions) {
    this.store = openStorePlace(server?.place ?? sessionsFile(places));
    this.#records = this.store.log(RECORDS);
    this.#own = this.store.log(server?.owner);
    this.#hosted = this.store.log(HOSTED);
    this.#server = server;
  }

  /** Every session, newest first. Sessions of our own agent in which nothing was said are left out, unless wanted. */
  async list({ hasEmpty = false }: { readonly hasEmpty?: boolean } = {}): Promise<readonly SavedSession[]> {
    const server = this.#server;
    if (server) return (await listAll(this.#own)).map((own) => ({ ...fromOwnLog(own), agent: server.agent }));
    const [records, own, hosted] = await Promise.all([
      listAll(this.#records),
      listAll(this.#own),
      listAll(this.#hosted),
    ]);
    const byId = (logs: readonly SessionRecord[]): ReadonlyMap<string, SessionRecord> =>
      new Map(logs.map((log) => [log.id, log]));
    const [ownById, hostedById] = [byId(own), byId(hosted)];
    const recorded = records.map((record) => {
      const { isOfOwn, logId = '' } = logIdOf(record);
      return fromRecord(record, (isOfOwn ? ownById : hostedById).get(logId));
    });
    const known = new Set(recorded.filter(isOwn).map(({ logId }) => logId));
    const others = own.filter(({ id, title }) => !known.has(id) && (hasEmpty || title !== null)).map(fromOwnLog);
    return [...recorded, ...others].sort((a, b) => b.updatedAtMs - a.updatedAtMs);
  }

  /** The conversation with an agent that is not ours may be given at once: the session is there with all of it, or not at all. */
  async create(saved: NewSaved, events: readonly NewEvent[] = []): Promise<SavedSession> {
    const { id = newRecordId(), cwd, title, ...facts } = saved;
    const times = { createdAtMs: Date.now(), updatedAtMs: Date.now(), isClosed: false };
    // Nobody sees a log without a record.
    const hosted =
      events.length === 0
        ? facts.hosted
        : await makeHostedLog(this.#hosted, { ...saved, ...times, id, title: title ?? null }, { events, trimmedTo: 0 });
    const metadata = toMetadata({ ...facts, hosted } as RecordFacts);
    try {
      return fromRecord(await this.#records.create({ id, cwd, title, metadata }));
    } catch (error) {
      if (hosted !== undefined && events.length > 0) await this.#hosted.remove(hosted);
      throw error;
    }
  }

  /**
   * The session of which there is one for its name, agent and folder; made unless it is there. Its id follows from them
   * and the store takes an id once, so of several processes that make it at the same moment one does.
   */
  async createNamed(wanted: NewSaved): Promise<{ readonly session: SavedSession; readonly isNew: boolean }> {
    for (let place = 0; ; ) {
      const id = idOfName(wanted, place);
      try {
        return { session: await this.create({ ...wanted, id }), isNew: true };
      } catch (error) {
        if (!(error instanceof StoreError) || error.code !== 'session_exists') throw error;
      }
      const taken = await this.get(id);
      if (taken && !taken.isClosed && taken.name === wanted.name) return { session: taken, isNew: false };
      // One that was closed keeps its id; the next of its name has the next place.
      if (taken) place += 1;
    }
  }

  /** A session of which we have a record. */
  async get(id: string): Promise<SavedSession | undefined> {
    const record = await this.#records.get(id);
    if (!record) return undefined;
    const session = fromRecord(record);
    const place = session.logId === undefined ? undefined : this.logOf(session);
    return fromRecord(record, await place?.log.get(place.id));
  }

  /** The record of a session as the store has it now. */
  async recordOf({ id }: SavedSession): Promise<{ readonly log: SessionLog; readonly record: SessionRecord }> {
    const record = await this.#records.get(id);
    if (!record) throw new SessionNotFoundError(id);
    return { log: this.#records, record };
  }

  /**
   * A session that its agent can be asked to open again: a conversation with another agent that has no log yet gets one, with what an
   * older version has recorded of it.
   */
  async withLog(session: SavedSession): Promise<SavedSession> {
    const { agentSessionId, logId, isRecorded, events } = session;
    const hasLog = isOwn(session) || logId !== undefined || (agentSessionId === undefined && events === 0);
    if (hasLog || !isRecorded || this.#server) return session;
    const recorded: LoggedEvent[] = [];
    for await (const event of this.#records.read(session.id)) recorded.push(event);
    // Events keep their numbers, also where older ones were deleted.
    const first = recorded[0]?.seq ?? 1;
    return await this.#makeLog(session, recorded, first > 1 ? first : 0);
  }

  async #makeLog(session: SavedSession, events: readonly NewEvent[], trimmedTo = 0): Promise<SavedSession> {
    const hosted = await makeHostedLog(this.#hosted, session, { events, trimmedTo });
    return await this.update(session, { hosted });
  }

  /** Changes what the record says; a session without one gets one. */
  async update(
    session: SavedSession,
    changes: Partial<RecordFacts> & { title?: string | null },
  ): Promise<SavedSession> {
    const { title, ...facts } = changes;
    const { agent, command, agentSessionId, logId, settings, mode, meta, name, lastStopReason } = session;
    const metadata = toMetadata({
      agent,
      command,
      agentSessionId,
      hosted: isOwn(session) ? undefined : logId,
      settings,
      mode,
      meta,
      name,
      lastStopReason,
      ...facts,
    } as RecordFacts);
    const written = session.isRecorded
      ? await this.#records.update(session.id, { metadata, ...(title !== undefined && { title }) })
      : await this.#records.create({
          id: newRecordId(),
          cwd: session.cwd,
          title: session.title ?? undefined,
          metadata,
        });
    return (await this.get(written.id)) ?? fromRecord(written);
  }

  /** Gives a session another title. */
  async rename(session: SavedSession, title: string): Promise<SavedSession> {
    await this.#updateAll(session, { title });
    return { ...session, title };
  }

  /** Hides a session, or shows it again. */
  async close(session: SavedSession, isClosed = true): Promise<void> {
    await this.#updateAll(session, { isArchived: isClosed });
  }

  async #updateAll(session: SavedSession, changes: Parameters<SessionLog['update']>[1]): Promise<void> {
    if (session.isRecorded) await this.#records.update(session.id, changes);
    const place = session.logId === undefined ? undefined : this.logOf(session);
    if (place) await place.log.update(place.id, changes);
  }

  /** Removes a session with everything in it. */
  async remove(session: SavedSession): Promise<void> {
    if (session.isRecorded) await this.#records.remove(session.id);
    const place = session.logId === undefined ? undefined : this.logOf(session);
    await place?.log.remove(place.id);
  }

  /** Removes the log of a session of a hosted agent that no record is about. */
  async removeHosted(logId: string): Promise<void> {
    await this.#hosted.remove(logId);
  }

  /** The conversation so far. */
  read(session: SavedSession): AsyncIterable<LoggedEvent> {
    const place = this.logOf(session);
    return place ? place.log.read(place.id) : nothing();
  }

  /** The conversation from a cursor on, and everything that comes, whichever process it happens in. */
  async *follow(session: SavedSession, options: FollowOptions): AsyncGenerator<LoggedEvent> {
    const opened = session.isRecorded && session.events === 0 ? await this.#whenOpened(session, options) : session;
    const place = opened && this.logOf(opened);
    if (place) yield* place.log.follow(place.id, options);
  }

  /** Waits until the process that opens a session has made its log. Returns undefined when the signal aborts. */
  async #whenOpened({ id }: SavedSession, { signal }: FollowOptions): Promise<SavedSession | undefined> {
    for (;;) {
      const session = await this.get(id);
      if (!session || session.logId !== undefined) return session;
      await sleep(POLL_MS, undefined, signal && { signal }).catch(() => {});
      if (signal?.aborted) return undefined;
    }
  }

  /**
   * Puts a whole conversation into our own agent's log, so that the agent can go on with it. It is not seen before its
   * record is there too: sessions without a title are not listed, and this one is given its own last.
   */
  async importOwn(saved: NewSaved, { metadata, events }: OwnConversation): Promise<SavedSession> {
    const id = `sess_${crypto.randomUUID()}`;
    const { cwd, title = null } = saved;
    await this.#own.create({ id, cwd, metadata, events });
    let session: SavedSession;
    try {
      session = await this.create({ ...saved, agentSessionId: id });
    } catch (error) {
      await this.#own.remove(id);
      throw error;
    }
    await this.#own.update(id, { title });
    return session;
  }

  /** What our own agent keeps with a session besides its events. */
  async ownMetadata(session: SavedSession): Promise<Readonly<Record<string, unknown>>> {
    return (await this.#own.get(session.agentSessionId ?? ''))?.metadata ?? {};
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.store.close();
  }

  /** The log that tells what happens in a session. */
  logOf(session: SavedSession): { readonly log: SessionLog; readonly id: string } | undefined {
    const { id, logId } = session;
    if (this.#server) return { log: this.#own, id };
    // Until it is used again, the conversation is where an older version has recorded it.
    if (logId === undefined) return isOwn(session) ? undefined : { log: this.#records, id };
    return { log: isOwn(session) ? this.#own : this.#hosted, id: logId };
  }
}

async function listAll(log: SessionLog): Promise<readonly SessionRecord[]> {
  const found: SessionRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await log.list({ archived: 'include', limit: PAGE, cursor });
    found.push(...page.sessions);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

async function* nothing(): AsyncGenerator<LoggedEvent> {}
