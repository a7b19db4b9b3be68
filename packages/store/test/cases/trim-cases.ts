import { expect, it } from 'vitest';
import { collect, numbered, range, take } from './collect.ts';
import type { NewSubject } from './subject.ts';

const summary = { kind: 'summary', body: 'so far' };

export function trimCases(newSubject: NewSubject): void {
  it('drops the events before one, puts the summary in the place of the last, and numbers go on', async () => {
    const { log, sessionId, clock } = await newSubject();
    await log.append(sessionId, numbered(1, 40));
    const { updatedAtMs } = (await log.get(sessionId)) ?? {};
    clock.nowMs += 1000;
    const record = await log.trim(sessionId, { before: 31, summary });
    expect(record).toMatchObject({ head: 40, trimmedTo: 30, bytes: 20 + '"so far"'.length, updatedAtMs });
    expect(await log.get(sessionId)).toEqual(record);
    expect((await log.list()).sessions).toEqual([record]);
    expect(await log.append(sessionId, numbered(41, 60))).toEqual({ first: 41, last: 60 });
    const kept = await collect(log.read(sessionId));
    expect(kept.map(({ seq, body }) => [seq, body])).toEqual([[30, 'so far'], ...range(31, 60).map((n) => [n, n])]);
    expect(kept[0]).toMatchObject({ kind: 'summary', timeMs: clock.nowMs });
  });

  it('refuses a cursor before what is kept, and takes the one at which it begins', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 10));
    await log.trim(sessionId, { before: 6, summary });
    for (const after of [1, 4]) {
      const expired = { code: 'cursor_expired', message: expect.stringContaining('read it again from the start') };
      await expect(collect(log.read(sessionId, { after }))).rejects.toMatchObject(expired);
      await expect(collect(log.follow(sessionId, { after }))).rejects.toMatchObject(expired);
    }
    expect((await collect(log.read(sessionId, { after: 5 }))).map(({ seq }) => seq)).toEqual(range(6, 10));
    expect((await collect(log.read(sessionId, { after: 9 }))).map(({ seq }) => seq)).toEqual([10]);
    expect(await collect(log.read(sessionId, { upTo: 4 }))).toEqual([]);
    expect((await collect(log.read(sessionId, { upTo: 6 }))).map(({ seq }) => seq)).toEqual([5, 6]);
    expect((await take(log.follow(sessionId), 6)).map(({ seq }) => seq)).toEqual(range(5, 10));
  });

  it('may drop everything, is done once, and refuses to drop what is not there', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 20));
    await expect(log.trim(sessionId, { before: 22, summary })).rejects.toMatchObject({ code: 'cursor_ahead' });
    expect(await log.trim(sessionId, { before: 1, summary })).toMatchObject({ trimmedTo: 0, head: 20 });
    await log.trim(sessionId, { before: 11, summary });
    expect(await log.trim(sessionId, { before: 6, summary })).toMatchObject({ trimmedTo: 10 });
    await log.trim(sessionId, { before: 16, summary: { kind: 'summary', body: 2 } });
    await log.trim(sessionId, { before: 21, summary: { kind: 'summary', body: 3 } });
    expect((await collect(log.read(sessionId))).map(({ seq, body }) => [seq, body])).toEqual([[20, 3]]);
    expect(await collect(log.read(sessionId, { after: 20 }))).toEqual([]);
    const following = take(log.follow(sessionId), 2);
    await log.append(sessionId, numbered(21, 21));
    expect((await following).map(({ body }) => body)).toEqual([3, 21]);
    await expect(log.trim('nobody', { before: 1, summary })).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(log.trim(sessionId, { before: -1, summary })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('is up to the owner alone', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 4));
    const { epoch } = await log.acquire(sessionId, { owner: 'a' });
    await expect(log.trim(sessionId, { before: 3, summary })).rejects.toMatchObject({ code: 'stale_owner' });
    const stale = log.trim(sessionId, { before: 3, summary, epoch: epoch + 1 });
    await expect(stale).rejects.toMatchObject({ code: 'stale_owner' });
    expect(await log.head(sessionId)).toBe(4);
    expect((await collect(log.read(sessionId))).length).toBe(4);
    expect(await log.trim(sessionId, { before: 3, summary, epoch })).toMatchObject({ trimmedTo: 2 });
  });

  it('fails a reader that was in the midst of what goes, and not one that was further on', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 100));
    const [early, late] = [log.read(sessionId), log.read(sessionId, { after: 80 })].map((events) =>
      events[Symbol.asyncIterator](),
    );
    await early?.next();
    await late?.next();
    await log.trim(sessionId, { before: 81, summary });
    const rest = async (iterator: AsyncIterator<{ readonly seq: number }> | undefined): Promise<number> => {
      for (let last = 0; ; ) {
        const next = await iterator?.next();
        if (!next || next.done) return last;
        last = next.value.seq;
      }
    };
    expect(await rest(late)).toBe(100);
    await expect(rest(early)).rejects.toMatchObject({ code: 'cursor_expired' });
  });

  it('is kept by a fork, and by a copy that says so', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 40));
    const { bytes } = await log.trim(sessionId, { before: 21, summary });
    const kept = await collect(log.read(sessionId));
    const forked = await log.fork(sessionId, { id: 'fork' });
    expect(forked).toMatchObject({ head: 40, trimmedTo: 20, bytes });
    expect(await collect(log.read('fork'))).toEqual(kept);
    expect(await log.fork(sessionId, { id: 'short', upTo: 25 })).toMatchObject({ head: 25, trimmedTo: 20 });
    expect((await collect(log.read('short'))).map(({ seq }) => seq)).toEqual(range(20, 25));
    await expect(log.fork(sessionId, { id: 'gone', upTo: 10 })).rejects.toMatchObject({ code: 'cursor_expired' });
    expect(await log.fork(sessionId, { id: 'none', upTo: 0 })).toMatchObject({ head: 0, trimmedTo: 0, bytes: 0 });
    await log.append('fork', numbered(41, 41));
    await log.trim('fork', { before: 41, summary });
    expect((await collect(log.read('fork'))).map(({ seq }) => seq)).toEqual([40, 41]);
    expect(await collect(log.read(sessionId))).toEqual(kept);

    const facts = { createdAtMs: 5, updatedAtMs: 6, isArchived: false, parentId: null, trimmedTo: 20 };
    const copy = await log.create({ id: 'copy', cwd: '/proj', events: kept, copied: facts });
    expect(copy).toMatchObject({ head: 40, trimmedTo: 20, bytes });
    expect((await collect(log.read('copy'))).map(({ seq, body }) => [seq, body])).toEqual(
      kept.map(({ seq, body }) => [seq, body]),
    );
    expect(await log.append('copy', numbered(41, 41))).toEqual({ first: 41, last: 41 });
    const empty = log.create({ id: 'empty', cwd: '/proj', copied: facts });
    await expect(empty).rejects.toMatchObject({ code: 'invalid_input' });
  });
}
