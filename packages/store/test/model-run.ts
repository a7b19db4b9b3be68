import { expect } from 'vitest';
import type { LoggedEvent, SessionLog, SessionStore } from '../src/index.ts';
import { collect } from './cases/collect.ts';
import { type Action, epochFor, expectedOutline, type Model, type ModelSession, outline } from './model.ts';

interface Watcher {
  readonly session: ModelSession;
  readonly events: LoggedEvent[];
  readonly after: number;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** One run: every action is done to the store and to the model, and the two must agree. */
export class ModelRun {
  readonly #model: Model = new Map();
  readonly #principal: string;
  readonly #open: () => SessionStore;
  readonly #stores: SessionStore[];
  #watchers: Watcher[] = [];
  #lastBody = 0;

  constructor(principal: string, open: () => SessionStore) {
    this.#principal = principal;
    this.#open = open;
    this.#stores = [open()];
  }

  get #log(): SessionLog {
    const store = this.#stores.at(-1);
    if (!store) throw new Error('There is always a store.');
    return store.log(this.#principal);
  }

  async perform(action: Action): Promise<void> {
    if (action.type === 'reopen') return this.#reopen();
    if (action.type === 'burst') return this.#burst(action.ids);
    if (action.type === 'abandon') return this.#abandon(action.ids);
    if (action.type === 'create') return this.#create(action.id);
    const session = this.#model.get(action.id);
    if (!session) {
      await expect(this.#log.head(action.id)).rejects.toMatchObject({ code: 'session_not_found' });
      return;
    }
    await this.#performOn(session, action);
    expect(await this.#log.head(action.id).catch(() => -1)).toBe(this.#model.get(action.id)?.bodies.length ?? -1);
  }

  /** At the end, every session reads as the model says, and every follower has seen each event once, in order. */
  async verify(): Promise<void> {
    for (const [id, session] of this.#model) {
      expect(outline(await collect(this.#log.read(id)))).toEqual(expectedOutline(session, 0));
    }
    const { sessions } = await this.#log.list({ limit: 1000 });
    expect(sessions.map(({ id }) => id).toSorted()).toEqual([...this.#model.keys()].toSorted());
    await this.#endWatchers();
  }

  async close(): Promise<void> {
    for (const { abort } of this.#watchers) abort.abort();
    for (const store of this.#stores) await store.close();
  }

  async #performOn(
    session: ModelSession,
    action: Exclude<Action, { type: 'reopen' | 'burst' | 'abandon' | 'create' }>,
  ) {
    const log = this.#log;
    const { id } = action;
    switch (action.type) {
      case 'remove':
        this.#watchers = this.#watchers.filter((watcher) => watcher.session !== session);
        this.#model.delete(id);
        expect(await log.remove(id)).toBe(true);
        return;
      case 'append': {
        const bodies = this.#newBodies(action.count);
        const events = bodies.map((body) => ({ kind: 'n', body }));
        const append = log.append(id, events, { epoch: epochFor(session, action.ownership) });
        if (action.ownership === 'wrong') {
          await expect(append).rejects.toMatchObject({ code: 'stale_owner' });
          return;
        }
        session.bodies.push(...bodies);
        expect((await append).last).toBe(session.bodies.length);
        return;
      }
      case 'once': {
        const known = session.keys.get(action.key);
        const [body = 0] = this.#newBodies(1);
        const once = { key: action.key, outcome: body };
        const epoch = epochFor(session, 'right');
        const { inbound } = await log.append(id, [{ kind: 'n', body }], { once, epoch });
        expect(inbound).toEqual({ key: action.key, outcome: known ?? body, isRepeated: known !== undefined });
        if (known !== undefined) return;
        session.keys.set(action.key, body);
        session.bodies.push(body);
        return;
      }
      case 'read': {
        const after = Math.floor(action.from * session.bodies.length);
        expect(outline(await collect(log.read(id, { after })))).toEqual(expectedOutline(session, after));
        return;
      }
      case 'watch':
        this.#watchers.push(this.#watch(id, session));
        return;
      case 'acquire': {
        const acquire = log.acquire(id, { owner: action.owner, leaseMs: 1_000_000, takeOver: action.takeOver });
        if (session.owner !== null && session.owner !== action.owner && !action.takeOver) {
          await expect(acquire).rejects.toMatchObject({ code: 'session_owned' });
          return;
        }
        session.owner = action.owner;
        expect((await acquire).epoch).toBe(++session.epoch);
        return;
      }
      case 'release':
        expect(await log.release(id, { epoch: session.epoch })).toBe(session.owner !== null);
        session.owner = null;
        return;
      case 'fork': {
        const upTo = Math.floor(action.from * session.bodies.length);
        const fork = log.fork(id, { id: action.to, upTo });
        if (this.#model.has(action.to)) {
          await expect(fork).rejects.toMatchObject({ code: 'session_exists' });
          return;
        }
        expect((await fork).head).toBe(upTo);
        this.#model.set(action.to, { bodies: session.bodies.slice(0, upTo), keys: new Map(), epoch: 0, owner: null });
      }
    }
  }

  async #create(id: string): Promise<void> {
    const create = this.#log.create({ id, cwd: '/proj' });
    if (this.#model.has(id)) await expect(create).rejects.toMatchObject({ code: 'session_exists' });
    else this.#model.set(id, { bodies: [], keys: new Map(), epoch: 0, owner: null });
    await create.catch(() => {});
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
      const session = this.#model.get(id);
      if (!session) return [];
      const [body = 0] = this.#newBodies(1);
      session.bodies.push(body);
      return [this.#log.append(id, [{ kind: 'n', body }], { epoch: epochFor(session, 'right') })];
    });
  }

  #watch(id: string, session: ModelSession): Watcher {
    const abort = new AbortController();
    const events: LoggedEvent[] = [];
    const after = Math.floor(session.bodies.length / 2);
    const done = (async () => {
      for await (const event of this.#log.follow(id, { after, signal: abort.signal })) events.push(event);
    })();
    // A session that is removed fails its followers; that is another case's business.
    done.catch(() => {});
    return { session, events, after, abort, done };
  }

  async #endWatchers(): Promise<void> {
    for (const { session, events, after, abort, done } of this.#watchers) {
      await expect.poll(() => events.length, { timeout: 10_000, interval: 5 }).toBe(session.bodies.length - after);
      expect(outline(events)).toEqual(expectedOutline(session, after));
      abort.abort();
      await done;
    }
    this.#watchers = [];
  }

  #newBodies(count: number): number[] {
    return Array.from({ length: count }, () => ++this.#lastBody);
  }
}
