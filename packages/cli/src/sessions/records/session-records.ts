import { join } from 'node:path';
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
import {
  fromOwnLog,
  fromRecord,
  idOfName,
  isOwn,
  newRecordId,
  type RecordFacts,
  type SavedSession,
  toMetadata,
} from './saved-session.ts';

/** Under whose name our records are kept; our own agent keeps its sessions under `local`, in the same file. */
const RECORDS = 'parley-cli';

const PAGE = 1000;

export interface NewSaved {
  readonly id?: string;
  readonly name?: string | undefined;
  readonly agent: string;
  readonly command?: string | undefined;
  readonly agentSessionId?: string;
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

/**
 * All sessions that can be found again, in `sessions.db`. For our own agent the truth is its own log, and a record only
 * adds a name and settings. For other agents the record also holds everything we have seen of the conversation.
 */
export class SessionRecords implements AsyncDisposable {
  readonly #store: SessionStore;
  readonly #records: SessionLog;
  readonly #own: SessionLog;
  readonly #server: ServerSessions | undefined;

  /** With a server's sessions, these alone are there, and there are no records of ours. */
  constructor({ state }: Places, server?: ServerSessions) {
    this.#store = openStorePlace(server?.place ?? join(state, 'sessions.db'));
    this.#records = this.#store.log(RECORDS);
    this.#own = this.#store.log(server?.owner);
    this.#server = server;
  }

  /** Every session, newest first. Sessions of our own agent in which nothing was said are left out, unless wanted. */
  async list({ hasEmpty = false }: { readonly hasEmpty?: boolean } = {}): Promise<readonly SavedSession[]> {
    const server = this.#server;
    if (server) return (await listAll(this.#own)).map((own) => ({ ...fromOwnLog(own), agent: server.agent }));
    const [records, own] = await Promise.all([listAll(this.#records), listAll(this.#own)]);
    const ownById = new Map(own.map((record) => [record.id, record]));
    const recorded = records.map((record) => fromRecord(record, ownById.get(String(record.metadata.agentSessionId))));
    const known = new Set(recorded.filter(isOwn).map(({ agentSessionId }) => agentSessionId));
    const others = own.filter(({ id, title }) => !known.has(id) && (hasEmpty || title !== null)).map(fromOwnLog);
    return [...recorded, ...others].sort((a, b) => b.updatedAtMs - a.updatedAtMs);
  }

  /** The conversation with an agent that is not ours may be given at once: the session is there with all of it, or not at all. */
  async create(
    { id = newRecordId(), cwd, title, ...facts }: NewSaved,
    events: readonly NewEvent[] = [],
  ): Promise<SavedSession> {
    const metadata = toMetadata(facts as RecordFacts);
    return fromRecord(await this.#records.create({ id, cwd, title, metadata, events }));
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
    return record ? fromRecord(record, await this.#ownOf(record)) : undefined;
  }

  /** The record of a session as the store has it now. */
  async recordOf({ id }: SavedSession): Promise<{ readonly log: SessionLog; readonly record: SessionRecord }> {
    const record = await this.#records.get(id);
    if (!record) throw new SessionNotFoundError(id);
    return { log: this.#records, record };
  }

  /** Changes what the record says; a session without one gets one. */
  async update(
    session: SavedSession,
    changes: Partial<RecordFacts> & { title?: string | null },
  ): Promise<SavedSession> {
    const { title, ...facts } = changes;
    const { agent, command, agentSessionId, settings, mode, meta, name, lastStopReason } = session;
    const metadata = toMetadata({
      agent,
      command,
      agentSessionId,
      settings,
      mode,
      meta,
      name,
      lastStopReason,
      ...facts,
    } as RecordFacts);
    if (!session.isRecorded) {
      return fromRecord(
        await this.#records.create({
          id: newRecordId(),
          cwd: session.cwd,
          title: session.title ?? undefined,
          metadata,
        }),
      );
    }
    return fromRecord(await this.#records.update(session.id, { metadata, ...(title !== undefined && { title }) }));
  }

  /** Gives a session another title. */
  async rename(session: SavedSession, title: string): Promise<SavedSession> {
    if (this.#server) await this.#own.update(session.id, { title });
    else {
      if (session.isRecorded) await this.#records.update(session.id, { title });
      if (isOwn(session) && session.agentSessionId !== undefined) {
        await this.#own.update(session.agentSessionId, { title });
      }
    }
    return { ...session, title };
  }

  /** Hides a session, or shows it again. */
  async close(session: SavedSession, isClosed = true): Promise<void> {
    if (this.#server) return void (await this.#own.update(session.id, { isArchived: isClosed }));
    if (session.isRecorded) await this.#records.update(session.id, { isArchived: isClosed });
    if (isOwn(session) && session.agentSessionId !== undefined) {
      await this.#own.update(session.agentSessionId, { isArchived: isClosed });
    }
  }

  /** Removes a session with everything in it. */
  async remove(session: SavedSession): Promise<void> {
    if (this.#server) return void (await this.#own.remove(session.id));
    if (session.isRecorded) await this.#records.remove(session.id);
    if (isOwn(session) && session.agentSessionId !== undefined) await this.#own.remove(session.agentSessionId);
  }

  /** The conversation so far. */
  read(session: SavedSession): AsyncIterable<LoggedEvent> {
    const place = this.logOf(session);
    return place ? place.log.read(place.id) : nothing();
  }

  /** The conversation from a cursor on, and everything that comes, whichever process it happens in. */
  follow(session: SavedSession, options: FollowOptions): AsyncIterable<LoggedEvent> {
    const place = this.logOf(session);
    return place ? place.log.follow(place.id, options) : nothing();
  }

  /** Adds to the conversation with an agent that is not ours. */
  async append(session: SavedSession, events: readonly NewEvent[]): Promise<void> {
    if (events.length > 0) await this.#records.append(session.id, events);
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
    return this.#store.close();
  }

  async #ownOf({ metadata }: SessionRecord): Promise<SessionRecord | undefined> {
    const { agentSessionId } = metadata;
    return typeof agentSessionId === 'string' && isOwn(metadata as { readonly agent: string })
      ? this.#own.get(agentSessionId)
      : undefined;
  }

  /** The log that tells what happens in a session: our own agent's, or that of our record. */
  logOf(session: SavedSession): { readonly log: SessionLog; readonly id: string } | undefined {
    if (this.#server) return { log: this.#own, id: session.id };
    if (!isOwn(session)) return { log: this.#records, id: session.id };
    return session.agentSessionId === undefined ? undefined : { log: this.#own, id: session.agentSessionId };
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
