import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { needs, PRLIMIT } from '@parley/testing/needs';
import { describe, expect, it } from 'vitest';
import { sqliteStore } from '../src/sqlite/sqlite-store.ts';
import { collect } from './cases/collect.ts';
import { StoreProcess } from './store-process.ts';
import { temporaryPaths } from './temporary-folder.ts';
import { useProgram } from './use-program.ts';

const newPath = temporaryPaths();
const programFile = useProgram('take-commands');
/** Another copy, which a test changes. */
const hungryFile = useProgram('take-commands');

function start(path: string, command: readonly string[] = []): StoreProcess {
  return new StoreProcess(programFile(), path, command);
}

async function bodies(path: string): Promise<unknown[]> {
  await using store = sqliteStore({ path });
  return (await collect(store.log().read('s'))).map(({ body }) => body);
}

describe('a process that uses a SQLite store', () => {
  it('goes on after closing it, though much was still to be written', async () => {
    const path = newPath();
    const child = start(path);
    await child.ask('create s');
    const answer = child.ask('close s 50');
    // Nothing but the store keeps the process alive now.
    const code = child.end();
    expect(await answer).toEqual({ result: 50 });
    expect(await code).toBe(0);
    expect(await bodies(path)).toHaveLength(50);
    expect(readdirSync(dirname(path))).toEqual(['sessions.db']);
  });

  it('ends after closing it, though a follower was left in the middle', async () => {
    const child = start(newPath());
    await child.ask('create s');
    expect(await child.ask('park s')).toEqual({ result: 1 });
    expect(await child.end()).toBe(0);
  });

  it('may exit right after an acknowledgement', async () => {
    const path = newPath();
    const child = start(path);
    await child.ask('create s');
    expect(await child.ask('last s text')).toEqual({ result: 1 });
    expect(await child.end()).toBe(3);
    expect((await bodies(path)).at(0)).toBe('text');
  });

  it('may be ended by a signal in the middle of a commit', async () => {
    const path = newPath();
    const child = start(path);
    await child.ask('create s');
    const { result } = await child.ask('append s first');
    void child.ask('burst s 2000');
    await child.kill('SIGTERM');
    const found = await bodies(path);
    expect(result).toBe(1);
    expect(found[0]).toBe('first');
  });

  it('does not take an owner for dead because it cannot look', needs(PRLIMIT), async () => {
    const path = newPath();
    await using owner = start(path);
    await owner.ask('create s');
    expect(await owner.ask('acquire s')).toEqual({ result: 1 });
    await using other = start(path);
    expect(await other.ask('acquire s')).toEqual({ code: 'session_owned' });
    const descriptors = readdirSync(`/proc/${other.pid}/fd`).map(Number);
    // No room for one more file.
    const limit = Array.from({ length: 1024 }, (_, n) => n).find((n) => !descriptors.includes(n)) ?? 0;
    execFileSync('/usr/bin/prlimit', ['--pid', String(other.pid), `--nofile=${limit}:`]);
    expect(await other.ask('acquire s')).toEqual({ code: 'session_owned' });
  });

  it('goes on with a new thread when the old one ran out of memory', async () => {
    const path = newPath();
    const thread = join(dirname(hungryFile()), 'sqlite', 'store-thread.program.js');
    renameSync(thread, join(dirname(thread), 'thread.js'));
    const hunger = join(dirname(path), 'hunger');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(thread, hungryThread(hunger));
    await using child = new StoreProcess(hungryFile(), path, ['env', 'NODE_OPTIONS=--max-old-space-size=32']);
    await child.ask('create s');
    expect(await child.ask('append s first')).toEqual({ result: 1 });
    writeFileSync(hunger, '');
    expect(await child.ask('append s second')).toEqual({ code: 'store_unavailable' });
    // What was under way had been saved, but could not be acknowledged any more.
    expect(await child.ask('append s third')).toEqual({ result: 3 });
  });
});

/** The store's thread, but once, when a file has appeared, it eats all its memory before it answers. */
function hungryThread(hunger: string): string {
  return `
    import { existsSync, rmSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    const eat = () => {
      if (!existsSync(${JSON.stringify(hunger)})) return;
      rmSync(${JSON.stringify(hunger)});
      // Small objects: V8 ends only this thread. Between larger ones Node 24 may end the whole process.
      for (let food; ; ) food = { food };
    };
    const post = parentPort.postMessage.bind(parentPort);
    parentPort.postMessage = (message) => { eat(); post(message); };
    await import('./thread.js');
  `;
}
