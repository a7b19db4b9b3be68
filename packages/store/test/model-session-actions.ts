import { expect } from 'vitest';
import type { SessionLog } from '../src/index.ts';
import { collect } from './cases/collect.ts';
import { epochFor, expectedOutline, type Model, type ModelSession, outline, type SessionAction } from './model.ts';

export const LEASE_MS = 1000;

export interface ActionContext {
  readonly log: SessionLog;
  readonly model: Model;
  readonly session: ModelSession;
  /** Bodies that no event has had before. */
  readonly newBodies: (count: number) => number[];
}

/** Does one thing to a session, in the log and in the model, and compares what comes of it. */
export async function performOn(
  action: Exclude<SessionAction, { type: 'watch' }>,
  context: ActionContext,
): Promise<void> {
  const { log, model, session, newBodies } = context;
  const { id } = session;
  switch (action.type) {
    case 'remove':
      model.sessions.delete(id);
      expect(await log.remove(id)).toBe(true);
      return;
    case 'append': {
      const bodies = newBodies(action.count);
      const events = bodies.map((body) => ({ kind: 'n', body }));
      const append = log.append(id, events, { epoch: epochFor(session, action.ownership) });
      if (action.ownership === 'wrong') return expectCode(append, 'stale_owner');
      model.append(session, bodies);
      expect((await append).last).toBe(session.bodies.length);
      return;
    }
    case 'once': {
      const [body = 0] = newBodies(1);
      const isRepeated = session.keys.has(action.key);
      const outcome = isRepeated ? session.keys.get(action.key) : action.hasOutcome ? body : undefined;
      const once = { key: action.key, ...(action.hasOutcome && { outcome: body }) };
      const options = { once, epoch: epochFor(session, 'right') };
      const { inbound } = await log.append(id, [{ kind: 'n', body }], options);
      expect(inbound).toEqual({ key: action.key, outcome, isRepeated });
      if (isRepeated) return;
      session.keys.set(action.key, outcome);
      model.append(session, [body]);
      return;
    }
    case 'settle': {
      const [outcome = 0] = newBodies(1);
      await log.append(id, [], { settle: { key: action.key, outcome }, epoch: epochFor(session, 'right') });
      session.keys.set(action.key, outcome);
      expect(await log.inbound(id, action.key)).toEqual({ key: action.key, outcome });
      return;
    }
    case 'input': {
      const bodies = newBodies(action.count);
      const events = bodies.map((body) => ({ kind: 'n', body }));
      model.append(session, bodies);
      expect((await log.append(id, events, { isInput: true })).last).toBe(session.bodies.length);
      return;
    }
    case 'read': {
      const after = Math.floor(action.from * session.bodies.length);
      if (after > 0 && after < session.trimmedTo) return expectCode(collect(log.read(id, { after })), 'cursor_expired');
      expect(outline(await collect(log.read(id, { after })))).toEqual(expectedOutline(session, after));
      return;
    }
    case 'update':
      session.title = action.title;
      session.isArchived = action.isArchived;
      expect(await log.update(id, action)).toMatchObject({ title: action.title, isArchived: action.isArchived });
      return;
    case 'acquire': {
      const acquire = log.acquire(id, { owner: action.owner, leaseMs: LEASE_MS, takeOver: action.takeOver });
      const isFree = session.owner === null || session.owner === action.owner || session.leaseUntilMs <= model.nowMs;
      if (!isFree && !action.takeOver) return expectCode(acquire, 'session_owned');
      session.owner = action.owner;
      session.leaseUntilMs = model.nowMs + LEASE_MS;
      expect((await acquire).epoch).toBe(++session.epoch);
      return;
    }
    case 'renew': {
      const epoch = epochFor(session, action.ownership) ?? session.epoch;
      const renew = log.renew(id, { epoch, leaseMs: LEASE_MS });
      if (session.owner === null || action.ownership === 'wrong') return expectCode(renew, 'stale_owner');
      session.leaseUntilMs = model.nowMs + LEASE_MS;
      expect(await renew).toEqual({ owner: session.owner, epoch, leaseUntilMs: session.leaseUntilMs });
      return;
    }
    case 'release':
      expect(await log.release(id, { epoch: session.epoch })).toBe(session.owner !== null);
      session.owner = null;
      return;
    case 'trim': {
      const [body = 0] = newBodies(1);
      const last = Math.floor(action.from * session.bodies.length);
      const trim = log.trim(id, {
        before: last + 1,
        summary: { kind: 'n', body },
        epoch: epochFor(session, action.ownership),
      });
      if (action.ownership === 'wrong') return expectCode(trim, 'stale_owner');
      if (last > session.trimmedTo) {
        session.bodies[last - 1] = body;
        session.trimmedTo = last;
      }
      expect(await trim).toMatchObject({ head: session.bodies.length, trimmedTo: session.trimmedTo });
      return;
    }
    case 'fork': {
      const upTo = Math.floor(action.from * session.bodies.length);
      const fork = log.fork(id, { id: action.to, upTo });
      if (upTo > 0 && upTo < session.trimmedTo) return expectCode(fork, 'cursor_expired');
      if (model.sessions.has(action.to)) return expectCode(fork, 'session_exists');
      const trimmedTo = upTo === 0 ? 0 : session.trimmedTo;
      model.add(action.to, { bodies: session.bodies.slice(0, upTo), title: session.title, trimmedTo });
      expect(await fork).toMatchObject({ head: upTo, title: session.title, parentId: id });
    }
  }
}

async function expectCode(call: Promise<unknown>, code: string): Promise<void> {
  await expect(call).rejects.toMatchObject({ code });
}
