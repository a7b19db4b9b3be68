import { expect, it } from 'vitest';
import { collect, numbered, range } from './collect.ts';
import type { OpenStore } from './subject.ts';

export function lifetimeCases(open: OpenStore): void {
  it('does what was asked of it before it closes, and nothing after', async () => {
    const store = open({});
    const log = store.log();
    const created = log.create({ id: 's', cwd: '/proj' });
    const appends = range(1, 20).map((n) => log.append('s', numbered(n, n)));
    const closing = store.close();
    await expect(log.append('s', numbered(21, 21))).rejects.toMatchObject({ code: 'store_closed' });
    await closing;
    await created;
    expect((await Promise.all(appends)).map(({ last }) => last)).toEqual(range(1, 20));
    await store.close();
    await expect(log.get('s')).rejects.toMatchObject({ code: 'store_closed' });
    await expect(collect(log.read('s'))).rejects.toMatchObject({ code: 'store_closed' });
  });

  it('is closed only when everybody who called has heard what came of it', async () => {
    const store = open({});
    let heard = 0;
    for (const n of range(1, 10)) {
      // Callers have callers of their own.
      let call: Promise<unknown> = store.log().create({ id: `s${n}`, cwd: '/proj' });
      for (const _ of range(1, 20)) call = call.then((record) => record);
      void call.then(() => heard++);
    }
    await store.close();
    expect(heard).toBe(10);
  });

  it('ends waiting followers when it closes', async () => {
    const store = open({});
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    await log.append('s', numbered(1, 1));
    const following = (async () => {
      for await (const { seq } of log.follow('s')) if (seq === 1) setImmediate(() => store.close());
    })();
    await expect(following).rejects.toMatchObject({ code: 'store_closed' });
  });

  it('tells those who watch nothing more once it is closed', async () => {
    const store = open({});
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    const heads: number[] = [];
    const stop = log.watch('s', (head) => heads.push(head));
    await log.append('s', numbered(1, 1));
    await store.close();
    stop();
    log.watch('s', (head) => heads.push(head))();
    expect(heads).toEqual([1]);
  });

  it('closes without ever having been used', async () => {
    const store = open({});
    await store.close();
    expect(() => store.log('')).toThrowError(expect.objectContaining({ code: 'invalid_input' }));
  });

  it('refuses appends beyond its queue at once, and takes them again later', async () => {
    await using store = open({ limits: { maxQueuedBytes: 1200 } });
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    const event = { kind: 'text', body: 'x'.repeat(400) };
    const results = await Promise.allSettled(range(1, 5).map(() => log.append('s', [event])));
    expect(results.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled'],
      ...['rejected', 'rejected', 'rejected'],
    ]);
    expect(results[2]).toMatchObject({ reason: { code: 'store_overloaded' } });
    const large = { kind: 'text', body: 'x'.repeat(4000) };
    expect(await log.append('s', [large])).toEqual({ first: 3, last: 3 });
  });

  it('counts metadata among what waits to be written, and many small events too', async () => {
    await using store = open({ limits: { maxQueuedBytes: 5000 } });
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    const metadata = { state: 'x'.repeat(4000) };
    const [taken, ...others] = await Promise.allSettled([
      log.update('s', { metadata }),
      log.update('s', { metadata }),
      log.create({ id: 't', cwd: '/proj', metadata }),
      log.append('s', numbered(1, 100)),
    ]);
    expect(taken.status).toBe('fulfilled');
    for (const other of others) expect(other).toMatchObject({ reason: { code: 'store_overloaded' } });
    await log.update('s', { metadata });
    expect(await log.append('s', numbered(1, 100))).toEqual({ first: 1, last: 100 });
  });

  it('takes a clock that counts fractions of milliseconds', async () => {
    let nowMs = 1000.25;
    await using store = open({ now: () => nowMs });
    const log = store.log();
    for (const id of ['a', 'b', 'c']) {
      nowMs += 0.75;
      await log.create({ id, cwd: '/proj' });
    }
    const { nextCursor } = await log.list({ limit: 2 });
    expect((await log.list({ cursor: nextCursor ?? '' })).sessions.map(({ id }) => id)).toEqual(['a']);
  });

  it.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d as a limit', (limit) => {
    expect(() => open({ limits: { maxPageEvents: limit } })).toThrowError(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('maxPageEvents') }),
    );
  });
}
