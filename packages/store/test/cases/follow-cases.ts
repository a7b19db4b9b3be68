import { expect, it } from 'vitest';
import type { LoggedEvent } from '../../src/index.ts';
import { collect, numbered, range, take } from './collect.ts';
import { MAX_EVENT_BYTES, type NewSubject } from './subject.ts';

export function followCases(newSubject: NewSubject): void {
  it('gives what is there and then what comes, without a seam', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 40));
    const following = take(log.follow(sessionId, { after: 5 }), 55);
    for (const number of range(41, 60)) await log.append(sessionId, numbered(number, number));
    const events = await following;
    expect(events.map(({ seq, body }) => [seq, body])).toEqual(range(6, 60).map((n) => [n, n]));
  });

  it('gives live events in the same shape as stored ones', async () => {
    const { log, sessionId } = await newSubject();
    const iterator = log.follow(sessionId)[Symbol.asyncIterator]();
    const first = iterator.next();
    await log.append(sessionId, [{ kind: 'a', body: { deep: ['x', null] } }]);
    const live = await first;
    await iterator.return?.();
    expect(live.value).toEqual((await collect(log.read(sessionId)))[0]);
  });

  it('serves a follower that is slower than the tail is long', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 1));
    const seen: number[] = [];
    for await (const { seq } of log.follow(sessionId)) {
      seen.push(seq);
      if (seq === 1) for (const n of range(2, 50)) await log.append(sessionId, numbered(n, n));
      if (seq === 50) break;
    }
    expect(seen).toEqual(range(1, 50));
  });

  it('serves many followers from different cursors the same events', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 30));
    const followers = range(0, 29).map((after) => take(log.follow(sessionId, { after }), 60 - after));
    const appends = range(31, 60).map((n) => log.append(sessionId, numbered(n, n)));
    await Promise.all(appends);
    for (const [after, events] of (await Promise.all(followers)).entries()) {
      expect(events.map(({ seq }) => seq)).toEqual(range(after + 1, 60));
    }
  });

  it('shows an event to followers only once its append can be read', async () => {
    const { log, sessionId } = await newSubject();
    const heads: [number, number][] = [];
    const following = (async () => {
      for await (const { seq } of log.follow(sessionId)) {
        heads.push([seq, await log.head(sessionId)]);
        if (seq === 20) break;
      }
    })();
    await Promise.all(range(1, 20).map((n) => log.append(sessionId, numbered(n, n))));
    await following;
    expect(heads).toHaveLength(20);
    for (const [seq, head] of heads) expect(head).toBeGreaterThanOrEqual(seq);
  });

  it('ends without an error when its signal aborts, whether it waits or not', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 3));
    const abort = new AbortController();
    const seen: LoggedEvent[] = [];
    const following = (async () => {
      for await (const event of log.follow(sessionId, { signal: abort.signal })) {
        seen.push(event);
        if (event.seq === 3) setImmediate(() => abort.abort());
      }
    })();
    await following;
    expect(seen.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(await collect(log.follow(sessionId, { signal: AbortSignal.abort() }))).toEqual([]);
  });

  it('fails a waiting follower when its session is removed', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 1));
    const following = (async () => {
      for await (const { seq } of log.follow(sessionId)) if (seq === 1) await log.remove(sessionId);
    })();
    await expect(following).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('does not wake for other sessions, nor for the same id of another principal', async () => {
    const { store, log, sessionId } = await newSubject();
    const stranger = store.log(`${log.principal}-stranger`);
    await stranger.create({ id: sessionId, cwd: '/proj' });
    const following = take(log.follow(sessionId), 1);
    await stranger.append(sessionId, [{ kind: 'foreign', body: 1 }]);
    await log.append(sessionId, [{ kind: 'own', body: 2 }]);
    expect((await following).map(({ kind }) => kind)).toEqual(['own']);
  });

  it('never goes on in another session that was given the same id', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 30));
    const old = [log.follow(sessionId), log.follow(sessionId, { after: 30 }), log.read(sessionId)].map((events) =>
      events[Symbol.asyncIterator](),
    );
    const [behind, atTheEnd, reading] = old;
    await behind?.next();
    await reading?.next();
    const waiting = expect(atTheEnd?.next()).rejects.toMatchObject({ code: 'session_not_found' });
    await log.remove(sessionId);
    await log.create({ id: sessionId, cwd: '/again' });
    await log.append(sessionId, numbered(101, 140));
    await waiting;
    for (const iterator of [behind, reading]) {
      const rest = collect({ [Symbol.asyncIterator]: () => iterator as AsyncIterator<LoggedEvent> });
      await expect(rest).rejects.toMatchObject({ code: 'session_not_found' });
    }
    const anew = await take(log.follow(sessionId), 40);
    expect(anew.map(({ body }) => body)).toEqual(range(101, 140));
  });

  it('serves those who come while the tail still holds events of a session that was removed', async () => {
    const { log, sessionId } = await newSubject();
    const parked = log.follow(sessionId)[Symbol.asyncIterator]();
    const first = parked.next();
    await log.append(sessionId, numbered(1, 6));
    await first;
    await log.remove(sessionId);
    await log.create({ id: sessionId, cwd: '/again' });
    await log.append(sessionId, numbered(101, 103));
    const abort = new AbortController();
    const seen: unknown[] = [];
    for await (const { body } of log.follow(sessionId, { after: 1, signal: abort.signal })) {
      seen.push(body);
      if (body === 103) abort.abort();
    }
    expect(seen).toEqual([102, 103]);
    await parked.return?.();
  });

  it('lets any number of followers share a signal', async () => {
    const { log, sessionId } = await newSubject();
    const warnings: Error[] = [];
    const listener = (warning: Error): number => warnings.push(warning);
    process.on('warning', listener);
    const abort = new AbortController();
    let waiting = 50;
    const followers = range(1, waiting).map(async () => {
      const events: LoggedEvent[] = [];
      for await (const event of log.follow(sessionId, { signal: abort.signal })) {
        events.push(event);
        if (--waiting === 0) setImmediate(() => abort.abort());
      }
      return events;
    });
    await log.append(sessionId, numbered(1, 1));
    for (const events of await Promise.all(followers)) expect(events).toHaveLength(1);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listener);
    expect(warnings).toEqual([]);
  });

  it('shows events that are too large for the tail', async () => {
    const { log, sessionId } = await newSubject();
    const following = take(log.follow(sessionId), 40);
    const bodies = range(1, 40).map((n) => (n % 3 === 0 ? 'x'.repeat(MAX_EVENT_BYTES - 2) : n));
    for (const body of bodies) await log.append(sessionId, [{ kind: 'mixed', body }]);
    expect((await following).map(({ body }) => body)).toEqual(bodies);
  });
}
