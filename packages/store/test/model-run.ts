import { expect } from 'vitest';
import type { LoggedEvent, SessionLog, SessionStore } from '../src/index.ts';
import { collect } from './cases/collect.ts';
import { type Action, epochFor, expectedOutline, Model, type ModelSession, outline } from './model.ts';
import { performOn } from './model-session-actions.ts';

interface Watcher {
  readonly session: ModelSession;
  readonly events: LoggedEvent[];
  readonly after: number;
  /** What it has seen before was compared then: a summary may stand in its place now. */
  readonly told: { upTo: number };
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** Opens a store with a clock. */
export type OpenWithClock = (now: () => number) => SessionStore;

/** One run: every action is done to the store and to the model, and the two must agree. */
export class ModelRun {
  readonly #model = new Model();
  readonly #principal: string;
  readonly #open: () => SessionStore;
  readonly #stores: SessionStore[];
  #watchers: Watcher[] = [];
  #lastBody = 0;

  constructor(principal: string, open: OpenWithClock) {
    this.#principal = principal;
    this.#open = () => open(() => this.#model.nowMs);
    this.#stores = [this.#open()];
  }

  get #log(): SessionLog {
    const store = this.#stores.at(-1);
    if (!store) throw new Error('There is always a store.');
    return store.log(this.#principal);
  }

  async perform(action: Action): Promise<void> {
    switch (action.type) {
      case 'reopen':
        return this.#reopen();
      case 'burst':
        return this.#burst(action.ids);
      case 'abandon':
        return this.#abandon(action.ids);
      case 'create':
        return this.#create(action.id);
      case 'list':
        return this.#list(action.limit, action.archived);
      case 'wait':
        this.#model.nowMs += action.ms;
        return;
    }
    const session = this.#model.sessions.get(action.id);
    if (!session) return expect(this.#log.head(action.id)).rejects.toMatchObject({ code: 'session_not_found' });
    // A follower that is behind what is dropped fails; that is another case's business too.
    if (action.type === 'trim') await this.#awaitWatchers(session);
    if (action.type === 'watch') this.#watchers.push(this.#watch(session));
    else await performOn(action, { log: this.#log, model: this.#model, session, newBodies: this.#newBodies });
    // The followers of a removed session fail; that is another case's business.
    this.#watchers = this.#watchers.filter(
      (watcher) => this.#model.sessions.get(watcher.session.id) === watcher.session,
    );
    const expected = this.#model.sessions.get(action.id)?.bodies.length ?? -1;
    expect(await this.#log.head(action.id).catch(() => -1)).toBe(expected);
  }

  /** At the end, everything is as the model says, and every follower has seen each event once, in order. */
  async verify(): Promise<void> {
    const log = this.#log;
    for (const [id, session] of this.#model.sessions) {
      expect(outline(await collect(log.read(id)))).toEqual(expectedOutline(session, 0));
      const { title, isArchived, updatedAtMs, epoch, owner, leaseUntilMs } = session;
      const lease = owner === null ? null : { owner, epoch, leaseUntilMs };
      expect(await log.get(id)).toMatchObject({ title, isArchived, updatedAtMs, lease });
      for (const [key, outcome] of session.keys) expect(await log.inbound(id, key)).toEqual({ key, outcome });
    }
    await this.#list(2, 'include');
    await this.#endWatchers();
  }

  async close(): Promise<void> {
    for (const { abort } of this.#watchers) abort.abort();
    for (const store of this.#stores) await store.close();
  }

  async #create(id: string): Promise<void> {
    const create = this.#log.create({ id, cwd: '/proj' });
    if (this.#model.sessions.has(id)) return expect(create).rejects.toMatchObject({ code: 'session_exists' });
    this.#model.add(id);
    await create;
  }

  async #list(limit: number, archived: 'exclude' | 'only' | 'include'): Promise<void> {
    const expected = this.#model.list(archived).map(({ id }) => id);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { sessions, nextCursor } = await this.#log.list({ limit, archived, cursor });
      expect(sessions.length).toBe(Math.min(limit, expected.length - found.length));
      found.push(...sessions.map(({ id }) => id));
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual(expected);
  }

  /** Appends to several sessions without waiting in between. */
  async #burst(ids: readonly string[]): Promise<void> {
    await Promise.all(this.#startAppends(ids));
  }

  /** Leaves a store in the middle of its work and goes on with another on the same data, as after a failover. */
  async #abandon(ids: readonly string[]): Promise<void> {
    const appends = this.#startAppends(ids);
    this.#stores.push(this.#open());
    await Promise.all(appends);
  }

  async #reopen(): Promise<void> {
    await this.#endWatchers();
    await this.close();
    this.#stores.splice(0, this.#stores.length, this.#open());
  }

  #startAppends(ids: readonly string[]): Promise<unknown>[] {
    return ids.flatMap((id) => {
      const session = this.#model.sessions.get(id);
      if (!session) return [];
      const [body = 0] = this.#newBodies(1);
      this.#model.append(session, [body]);
      return [this.#log.append(id, [{ kind: 'n', body }], { epoch: epochFor(session, 'right') })];
    });
  }

  #watch(session: ModelSession): Watcher {
    const abort = new AbortController();
    const events: LoggedEvent[] = [];
    const after = Math.max(Math.floor(session.bodies.length / 2), session.trimmedTo);
    const done = (async () => {
      for await (const event of this.#log.follow(session.id, { after, signal: abort.signal })) events.push(event);
    })();
    done.catch(() => {});
    return { session, events, after, told: { upTo: 0 }, abort, done };
  }

  async #endWatchers(): Promise<void> {
    for (const { session, abort, done } of this.#watchers) {
      await this.#awaitWatchers(session);
      abort.abort();
      await done;
    }
    this.#watchers = [];
  }

  /** Waits until the followers of a session have seen all of it; each must have seen what there was when it came to it. */
  async #awaitWatchers(session: ModelSession): Promise<void> {
    for (const { events, after, told } of this.#watchers.filter((watcher) => watcher.session === session)) {
      const seen = (): number => events.at(-1)?.seq ?? after;
      await expect.poll(seen, { timeout: 10_000, interval: 5 }).toBe(session.bodies.length);
      const isNew = ([seq]: readonly [number, unknown]): boolean => seq > told.upTo;
      expect(outline(events).filter(isNew)).toEqual(expectedOutline(session, after).filter(isNew));
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => (events[0]?.seq ?? 0) + index));
      told.upTo = session.bodies.length;
    }
  }

  readonly #newBodies = (count: number): number[] => Array.from({ length: count }, () => ++this.#lastBody);
}
