import { execFileSync } from 'node:child_process';
import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { needs, POSIX, PRLIMIT } from '@parley/testing/needs';
import { describe, expect, it } from 'vitest';
import { sqliteStore } from '../src/sqlite/sqlite-store.ts';
import { collect, range, take } from './cases/collect.ts';
import { StoreProcess } from './store-process.ts';
import { temporaryPaths } from './temporary-folder.ts';
import { useProgram } from './use-program.ts';

const newPath = temporaryPaths();
const programFile = useProgram('take-commands');

/** The heads that a watch told of. */
class Heads {
  #last = 0;
  #waiting: (() => void)[] = [];

  add(head: number): void {
    expect(head).toBeGreaterThan(this.#last);
    this.#last = head;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  async reach(head: number): Promise<void> {
    while (this.#last < head) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

function start(path: string, command: readonly string[] = []): StoreProcess {
  return new StoreProcess(programFile(), path, command);
}

describe('processes that share a SQLite file', () => {
  it('number the events of a session densely between them, and follow each other', async () => {
    const path = newPath();
    await using store = sqliteStore({ path });
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    const following = take(log.follow('s'), 150);

    await using first = start(path);
    await using second = start(path);
    const answers = await Promise.all([first.ask('burst s 50'), second.ask('burst s 50')]);
    await Promise.all(range(1, 50).map((n) => log.append('s', [{ kind: 'text', body: `own.${n}` }])));

    const events = await following;
    expect(events.map(({ seq }) => seq)).toEqual(range(1, 150));
    expect(await collect(log.read('s'))).toEqual(events);
    const expected = [...answers.flatMap(({ result }) => result as string[]), ...range(1, 50).map((n) => `own.${n}`)];
    expect(events.map(({ body }) => body).toSorted()).toEqual(expected.toSorted());
  });

  it('hear of each other’s appends, and hand inputs to whoever owns the session', async () => {
    const path = newPath();
    await using store = sqliteStore({ path });
    const log = store.log();
    await log.create({ id: 's', cwd: '/proj' });
    const { epoch } = await log.acquire('s');
    await log.append('s', [{ kind: 'text', body: 'own' }], { epoch });
    await using other = start(path);
    expect(await other.ask('append s refused')).toEqual({ code: 'stale_owner' });

    const heads = new Heads();
    const stop = log.watch('s', (head) => heads.add(head));
    expect(await log.head('s')).toBe(1);
    expect(await other.ask('input s prompt')).toEqual({ result: 2 });
    await heads.reach(2);
    await log.append('s', [{ kind: 'text', body: 'answer' }], { epoch });
    expect(await other.ask('input s cancel')).toEqual({ result: 4 });
    await heads.reach(4);
    stop();
    expect((await collect(log.read('s'))).map((event) => [event.epoch, event.body])).toEqual(
      ['own', 'prompt', 'answer', 'cancel'].map((body) => [epoch, body]),
    );
  });

  it('hear of each other’s appends without waiting for the many of their own that are queued', async () => {
    const path = newPath();
    await using store = sqliteStore({ path });
    const log = store.log();
    for (const id of ['s', 'busy']) await log.create({ id, cwd: '/proj' });
    await using other = start(path);
    expect(await other.ask('head s')).toEqual({ result: 0 });
    const heads = new Heads();
    const stop = log.watch('s', (head) => heads.add(head));
    expect(await log.head('s')).toBe(0);

    // So many wait at any time that whoever had to wait for them would let as many pass.
    const QUEUED = 20_000;
    let written = 0;
    const abort = new AbortController();
    const keepWriting = async (): Promise<void> => {
      while (!abort.signal.aborted) {
        await log.append('busy', [{ kind: 'text', body: 1 }]);
        written++;
      }
    };
    const own = Promise.all(range(1, QUEUED).map(keepWriting));
    try {
      let asked = await other.ask('input s prompt');
      while (asked.code === 'store_busy') asked = await other.ask('input s prompt');
      const before = written;
      await heads.reach(1);
      expect(written - before).toBeLessThan(QUEUED);
    } finally {
      abort.abort();
      await own;
      stop();
    }
  }, 60_000);

  it('may all be the first to open it', async () => {
    const path = newPath();
    const processes = range(1, 4).map(() => start(path));
    const answers = await Promise.all(processes.map((process, index) => process.ask(`create s${index}`)));
    expect(answers.map(({ code }) => code)).toEqual([undefined, undefined, undefined, undefined]);
    const heads = await Promise.all(processes.map((process) => process.ask('head s0')));
    expect(heads).toEqual(heads.map(() => ({ result: 0 })));
    await Promise.all(processes.map((process) => process.end()));
  });

  it('own a session one at a time, and inherit it at once from one that was killed', async () => {
    const path = newPath();
    await using first = start(path);
    await first.ask('create s');
    expect(await first.ask('acquire s')).toEqual({ result: 1 });
    await using second = start(path);
    expect(await second.ask('acquire s')).toEqual({ code: 'session_owned' });
    await using store = sqliteStore({ path });
    expect(await store.log().get('s')).toMatchObject({ isHeld: true, lease: { epoch: 1 } });
    await first.kill();
    expect(await store.log().get('s')).toMatchObject({ isHeld: false, lease: { epoch: 1 } });
    expect(await second.ask('acquire s')).toEqual({ result: 2 });
  });

  it('keep a session while they are stopped, and learn when it was taken', needs(POSIX), async () => {
    const path = newPath();
    await using first = start(path);
    await first.ask('create s');
    expect(await first.ask('acquire s 50')).toEqual({ result: 1 });
    expect(await first.ask('write s 1')).toEqual({ result: 1 });
    await using second = start(path);
    process.kill(first.pid, 'SIGSTOP');
    try {
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await second.ask('acquire s')).toEqual({ code: 'session_owned' });
      expect(await second.ask('held s')).toEqual({ result: true });
    } finally {
      process.kill(first.pid, 'SIGCONT');
    }
    expect(await first.ask('write s 1')).toEqual({ result: 2 });

    process.kill(first.pid, 'SIGSTOP');
    try {
      expect(await second.ask('takeover s')).toEqual({ result: 2 });
    } finally {
      process.kill(first.pid, 'SIGCONT');
    }
    expect(await first.ask('write s 1')).toEqual({ code: 'stale_owner' });
    expect(await second.ask('write s 2')).toEqual({ result: 3 });
  });

  it('end by themselves when nothing is left to do, though they never close the store', async () => {
    const process = start(newPath());
    await process.ask('create s');
    expect(await process.ask('append s text')).toEqual({ result: 1 });
    expect(await process.end()).toBe(0);
  });
});

describe('a disk that fails', () => {
  it('read-only: appends are refused, and work again once it can be written', async () => {
    const path = newPath();
    {
      await using writer = start(path);
      await writer.ask('create s');
      await writer.ask('append s first');
    }
    chmodSync(path, 0o400);
    chmodSync(dirname(path), 0o500);
    // The superuser may write anything, unless that right is taken away.
    const isRoot = process.getuid?.() === 0;
    await using store = start(path, isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []);
    expect(await store.ask('append s second')).toEqual({ code: 'store_readonly' });
    chmodSync(dirname(path), 0o700);
    expect(await store.ask('append s second')).toEqual({ code: 'store_readonly' });
    chmodSync(path, 0o600);
    expect(await store.ask('append s second')).toEqual({ result: 2 });
  });

  it('failing writes: nothing acknowledged is lost, and it goes on', needs(PRLIMIT), async () => {
    const path = newPath();
    await using store = start(path);
    const limit = (bytes: number | 'unlimited'): void => {
      execFileSync('/usr/bin/prlimit', ['--pid', String(store.pid), `--fsize=${bytes}:unlimited`]);
    };
    const text = 'x'.repeat(3000);
    await store.ask('create s');
    let last = 0;
    for (const round of [1, 2, 3]) {
      limit(statSync(`${path}-wal`).size + 20_000);
      let answer = await store.ask(`append s ${text}`);
      for (; answer.code === undefined; answer = await store.ask(`append s ${text}`)) last = Number(answer.result);
      expect([round, answer.code]).toEqual([round, 'store_io']);
      expect(await store.ask('head s')).toEqual({ result: last });
      limit('unlimited');
      expect(await store.ask(`append s ${text}`)).toEqual({ result: ++last });
    }
    await store.end();
    await using reopened = sqliteStore({ path });
    const events = await collect(reopened.log().read('s'));
    expect(events.map(({ seq }) => seq)).toEqual(range(1, last));
    for (const { body } of events) expect(body).toBe(text);
  });
});
