import { expect, it } from 'vitest';
import { collect, numbered } from './collect.ts';
import type { NewSubject } from './subject.ts';

export function sessionCases(newSubject: NewSubject): void {
  it('creates a session with its first events, or not at all', async () => {
    const { log, sessionId, clock } = await newSubject();
    const events = [...numbered(1, 2), { kind: 'text', body: 3, timeMs: 7 }];
    const record = await log.create({ id: 'full', cwd: '/proj', events });
    expect(record).toMatchObject({ head: 3, bytes: 3, updatedAtMs: clock.nowMs });
    expect(await log.get('full')).toEqual(record);
    const found = await collect(log.read('full'));
    expect(found.map(({ seq, body, timeMs }) => [seq, body, timeMs])).toEqual([
      [1, 1, clock.nowMs],
      [2, 2, clock.nowMs],
      [3, 3, 7],
    ]);
    expect(await log.append('full', numbered(4, 4))).toMatchObject({ first: 4 });
    const refused = log.create({ id: 'none', cwd: '/proj', events: [{ kind: 'text', body: 1n }] });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await log.get('none')).toBeUndefined();
    await expect(log.create({ id: sessionId, cwd: '/proj', events })).rejects.toMatchObject({ code: 'session_exists' });
    expect(await log.head(sessionId)).toBe(0);
  });

  it('keeps of a copied session what its own store said of it, and tells who has sessions', async () => {
    const { store, log, sessionId } = await newSubject();
    const copied = { createdAtMs: 5, updatedAtMs: 6, isArchived: true, parentId: sessionId };
    const events = [{ kind: 'text', body: 1, timeMs: 3 }];
    const record = await log.create({ id: 'copy', cwd: '/proj', events, copied });
    expect(record).toMatchObject({ ...copied, head: 1 });
    expect(await log.get('copy')).toEqual(record);
    expect((await log.list({ archived: 'include' })).sessions.map(({ id }) => id)).toEqual([sessionId, 'copy']);
    const wrong = log.create({ id: 'wrong', cwd: '/proj', copied: { ...copied, createdAtMs: -1 } });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_input' });
    const principals = await store.principals();
    expect(principals.filter((each) => each === log.principal)).toEqual([log.principal]);
  });

  it('gives back a session as it was created', async () => {
    const { log, clock } = await newSubject();
    const created = await log.create({
      id: 'mine',
      cwd: '/home/me/näh',
      title: 'A\0 \ud800 title',
      metadata: { a: [1] },
    });
    expect(created).toEqual({
      id: 'mine',
      principal: log.principal,
      cwd: '/home/me/näh',
      title: 'A\0 \ud800 title',
      metadata: { a: [1] },
      isArchived: false,
      createdAtMs: clock.nowMs,
      updatedAtMs: clock.nowMs,
      head: 0,
      trimmedTo: 0,
      bytes: 0,
      parentId: null,
      lease: null,
      isHeld: false,
    });
    expect(await log.get('mine')).toEqual(created);
  });

  it('refuses an id that is taken, and knows nothing of an unknown one', async () => {
    const { log, sessionId } = await newSubject();
    await expect(log.create({ id: sessionId, cwd: '/elsewhere' })).rejects.toMatchObject({ code: 'session_exists' });
    expect((await log.get(sessionId))?.cwd).toBe('/proj');
    expect(await log.get('nobody')).toBeUndefined();
    await expect(log.head('nobody')).rejects.toMatchObject({ code: 'session_not_found', sessionId: 'nobody' });
    await expect(log.append('nobody', [])).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(log.update('nobody', {})).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(collect(log.read('nobody'))).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it.each(['', 'a\0b', '\udfff', 'x'.repeat(5000)])('refuses %j as an id or a working directory', async (name) => {
    const { log } = await newSubject();
    await expect(log.create({ id: name, cwd: '/proj' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(log.create({ id: 'x', cwd: name })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('keeps the sessions of another principal out of sight and out of reach', async () => {
    const { store, log, sessionId } = await newSubject();
    const stranger = store.log(`${log.principal}-stranger`);
    await log.append(sessionId, numbered(1, 3));

    expect(await stranger.get(sessionId)).toBeUndefined();
    expect((await stranger.list()).sessions).toEqual([]);
    expect(await stranger.remove(sessionId)).toBe(false);
    await expect(collect(stranger.read(sessionId))).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(collect(stranger.follow(sessionId))).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(stranger.append(sessionId, numbered(4, 4))).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(stranger.acquire(sessionId, { owner: 'o' })).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(stranger.append(sessionId, numbered(4, 4), { isInput: true })).rejects.toMatchObject({
      code: 'session_not_found',
    });

    await stranger.create({ id: sessionId, cwd: '/other' });
    await stranger.append(sessionId, numbered(9, 9));
    expect((await collect(log.read(sessionId))).map(({ body }) => body)).toEqual([1, 2, 3]);
    expect((await collect(stranger.read(sessionId))).map(({ body }) => body)).toEqual([9]);
  });

  it('changes title, metadata and archived flag one by one, without counting it as activity', async () => {
    const { log, sessionId, clock } = await newSubject();
    const { updatedAtMs } = await log.update(sessionId, { title: 'First' });
    clock.nowMs += 1000;
    await log.update(sessionId, { metadata: { theme: 'dark' } });
    const archived = await log.update(sessionId, { isArchived: true });
    expect(archived).toMatchObject({ title: 'First', metadata: { theme: 'dark' }, isArchived: true, updatedAtMs });
    const restored = await log.update(sessionId, { isArchived: false, title: null });
    expect(restored).toMatchObject({ title: null, metadata: { theme: 'dark' }, isArchived: false });
    expect(await log.get(sessionId)).toEqual(restored);
  });

  it('removes a session with all that belongs to it, and lets its id be used again', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 40), { once: { key: 'k' } });
    expect(await log.remove(sessionId)).toBe(true);
    expect(await log.remove(sessionId)).toBe(false);
    expect(await log.get(sessionId)).toBeUndefined();

    await log.create({ id: sessionId, cwd: '/again' });
    expect(await collect(log.read(sessionId))).toEqual([]);
    expect(await log.inbound(sessionId, 'k')).toBeUndefined();
    expect(await log.append(sessionId, numbered(1, 1))).toEqual({ first: 1, last: 1 });
  });

  it('forks a session: the same events under a new id, and separate from then on', async () => {
    const { log, sessionId, clock } = await newSubject();
    await log.update(sessionId, { title: 'Original', metadata: { a: 1 } });
    await log.append(sessionId, numbered(1, 40));
    const original = await collect(log.read(sessionId));
    clock.nowMs += 1000;

    const forked = await log.fork(sessionId, { id: 'copy', title: 'Copy' });
    expect(forked).toMatchObject({ id: 'copy', title: 'Copy', cwd: '/proj', head: 40, parentId: sessionId });
    expect(forked).toMatchObject({ metadata: { a: 1 }, createdAtMs: clock.nowMs, updatedAtMs: clock.nowMs });
    expect(await collect(log.read('copy'))).toEqual(original);

    await log.append('copy', numbered(41, 41));
    await log.append(sessionId, numbered(99, 100));
    expect((await collect(log.read('copy', { after: 39 }))).map(({ body }) => body)).toEqual([40, 41]);
    expect(await log.head(sessionId)).toBe(42);
  });

  it('forks up to an event', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 5));
    expect((await log.fork(sessionId, { id: 'three', upTo: 3 })).head).toBe(3);
    expect((await log.fork(sessionId, { id: 'none', upTo: 0 })).head).toBe(0);
    await log.append('three', numbered(4, 4));
    expect((await collect(log.read('three'))).map(({ body }) => body)).toEqual([1, 2, 3, 4]);
    await expect(log.fork(sessionId, { id: 'six', upTo: 6 })).rejects.toMatchObject({ code: 'cursor_ahead' });
    await expect(log.fork(sessionId, { id: 'three' })).rejects.toMatchObject({ code: 'session_exists' });
  });
}
