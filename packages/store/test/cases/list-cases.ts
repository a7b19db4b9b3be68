import { expect, it } from 'vitest';
import type { SessionLog } from '../../src/index.ts';
import { numbered, range } from './collect.ts';
import type { NewSubject } from './subject.ts';

export function listCases(newSubject: NewSubject): void {
  it('lists by last activity, newest first', async () => {
    const { log, sessionId, clock } = await newSubject();
    for (const id of ['a', 'b']) await log.create({ id, cwd: '/proj' });
    clock.nowMs += 1000;
    await log.append(sessionId, numbered(1, 1));
    clock.nowMs += 1000;
    await log.append('a', numbered(1, 2));
    const { sessions, nextCursor } = await log.list();
    expect(sessions.map(({ id, head }) => [id, head])).toEqual([
      ['a', 2],
      [sessionId, 1],
      ['b', 0],
    ]);
    expect(nextCursor).toBeNull();
  });

  it('lists in pages without skipping or repeating, also among sessions of the same moment', async () => {
    const { log, sessionId } = await newSubject();
    const ids = range(1, 10).map((number) => `s${number}`);
    for (const id of ids) await log.create({ id, cwd: '/proj' });
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await log.list({ limit: 4, cursor });
      seen.push(...page.sessions.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
      pages++;
    } while (cursor !== undefined);
    expect(pages).toBe(3);
    expect(seen).toEqual([...ids.toReversed(), sessionId]);
  });

  it('goes on with a page after the session at its cursor is gone', async () => {
    const { log } = await newSubject();
    for (const number of range(1, 4)) await log.create({ id: `s${number}`, cwd: '/pages' });
    const first = await log.list({ cwd: '/pages', limit: 2 });
    await log.remove('s3');
    const second = await log.list({ cwd: '/pages', limit: 2, cursor: first.nextCursor ?? '' });
    expect(second.sessions.map(({ id }) => id)).toEqual(['s2', 's1']);
  });

  it('lists by working directory and by archived flag', async () => {
    const { log, sessionId } = await newSubject();
    await log.create({ id: 'other', cwd: '/other' });
    await log.create({ id: 'old', cwd: '/proj' });
    await log.update('old', { isArchived: true });
    const ids = async (query: Parameters<typeof log.list>[0]) => (await log.list(query)).sessions.map(({ id }) => id);
    expect(await ids({ cwd: '/proj' })).toEqual([sessionId]);
    expect(await ids({ cwd: '/proj', archived: 'include' })).toEqual(['old', sessionId]);
    expect(await ids({ archived: 'only' })).toEqual(['old']);
    expect(await ids({ cwd: '/wor' })).toEqual([]);
  });

  it.each(['', 'x', '!-1', 'a-b-c', '12-'])('refuses the made-up cursor %j', async (cursor) => {
    const { log } = await newSubject();
    await expect(log.list({ cursor })).rejects.toMatchObject({ code: 'invalid_cursor' });
  });

  it.each([0, -1, 1.5, 1001, Number.NaN])('refuses pages of %d sessions', async (limit) => {
    const { log } = await newSubject();
    await expect(log.list({ limit })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('shows every session that stays once, while others come, go and become active between the pages', async () => {
    const { log, sessionId, clock } = await newSubject();
    const ids = range(1, 200).map((number) => `s${number}`);
    for (const id of ids) {
      if (Number(id.slice(1)) % 7 === 0) clock.nowMs += 1;
      await log.create({ id, cwd: '/proj' });
    }
    const gone = new Set<string>();
    const seen: string[] = [];
    let number = 1;
    for await (const page of pagesOf(log, 9)) {
      seen.push(...page);
      const [removed, alsoRemoved, active] = range(number, number + 2).map((each) => `s${each}`);
      for (const id of [removed, alsoRemoved]) if (id) await log.remove(id);
      clock.nowMs += 1;
      if (active) await log.append(active, numbered(1, 1));
      await log.create({ id: `late ${number}`, cwd: '/proj' });
      for (const id of [removed, alsoRemoved, active]) if (id) gone.add(id);
      number += 7;
    }
    const stayed = [...ids, sessionId].filter((id) => !gone.has(id));
    expect(seen.filter((id) => stayed.includes(id)).toSorted()).toEqual(stayed.toSorted());
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('ends a page early when its sessions carry much metadata, and goes on after it', async () => {
    const { log, sessionId } = await newSubject();
    const metadata = { state: 'x'.repeat(1500) };
    for (const number of range(1, 5)) await log.create({ id: `s${number}`, cwd: '/proj', metadata });
    await log.create({ id: 'large', cwd: '/proj', metadata: { state: 'x'.repeat(9000) } });
    const pages: string[][] = [];
    for await (const page of pagesOf(log, 50)) pages.push(page);
    expect(pages).toEqual([['large'], ['s5', 's4'], ['s3', 's2'], ['s1', sessionId]]);
  });

  it.each(['0-0', 'zzzzzzzzzzz-zzzzzzzzzzz', '1-zzzzzzzzzzz'])(
    'goes on from the cursor %j of another list',
    async (cursor) => {
      const { log, sessionId } = await newSubject();
      const { sessions, nextCursor } = await log.list({ cursor });
      expect(sessions.map(({ id }) => id)).toEqual(cursor.startsWith('z') ? [sessionId] : []);
      expect(nextCursor).toBeNull();
    },
  );
}

/** The ids on each page. */
async function* pagesOf(log: SessionLog, limit: number): AsyncGenerator<string[]> {
  let cursor: string | undefined;
  do {
    const page = await log.list({ limit, cursor });
    yield page.sessions.map(({ id }) => id);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
