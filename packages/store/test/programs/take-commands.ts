import { execFileSync } from 'node:child_process';
import { closeSync, copyFileSync, openSync, rmSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { StoreError } from '../../src/index.ts';
import { sqliteStore } from '../../src/sqlite/sqlite-store.ts';
import type { Answer } from '../store-process.ts';

/**
 * A store in a process of its own. Each line on stdin is a command, answered by one line on stdout.
 * Usage: take-commands <path>
 */
// A write beyond the file size limit shall fail as on a faulty disk, and not end the process.
process.on('SIGXFSZ', () => {});

const [path = ''] = process.argv.slice(2);
let store = sqliteStore({ path });
let log = store.log();

const commands: Record<string, (first: string, second: string) => Promise<unknown>> = {
  create: (id) => log.create({ id, cwd: '/proj' }),
  append: async (sessionId, body) => (await log.append(sessionId, [{ kind: 'text', body }])).last,
  input: async (sessionId, body) => (await log.append(sessionId, [{ kind: 'text', body }], { isInput: true })).last,
  burst: async (sessionId, count) => {
    const bodies = Array.from({ length: Number(count) }, (_, index) => `${process.pid}.${index}`);
    await Promise.all(bodies.map((body) => log.append(sessionId, [{ kind: 'text', body }])));
    return bodies;
  },
  head: (sessionId) => log.head(sessionId),
  lengths: async (sessionId) => {
    const lengths: number[] = [];
    for await (const { body } of log.read(sessionId)) lengths.push(String(body).length);
    return lengths;
  },
  acquire: async (sessionId, leaseMs) =>
    (await log.acquire(sessionId, leaseMs === '' ? {} : { leaseMs: Number(leaseMs) })).epoch,
  takeover: async (sessionId) => (await log.acquire(sessionId, { takeOver: true })).epoch,
  write: async (sessionId, epoch) =>
    (await log.append(sessionId, [{ kind: 'text', body: 'x'.repeat(3000) }], { epoch: Number(epoch) })).last,
  release: (sessionId, epoch) => log.release(sessionId, { epoch: Number(epoch) }),
  held: async (sessionId) => (await log.get(sessionId))?.isHeld,
  /** The owner as it stands in the file. */
  stored: async (sessionId) => (await log.get(sessionId))?.lease ?? null,
  remove: (sessionId) => log.remove(sessionId),

  /** Closes the store while events are being written. */
  close: async (sessionId, count) => {
    const bodies = Array.from({ length: Number(count) }, (_, index) => index);
    const appends = bodies.map((body) => log.append(sessionId, [{ kind: 'text', body }]));
    await store.close();
    return (await Promise.all(appends)).length;
  },
  /** Closes the store while a follower that has got an event does not ask for the next. */
  park: async (sessionId) => {
    const iterator = log.follow(sessionId)[Symbol.asyncIterator]();
    const first = iterator.next();
    await log.append(sessionId, [{ kind: 'text', body: 1 }]);
    const { value } = await first;
    await store.close();
    return value?.seq;
  },
  /** Ends the process as soon as an event is acknowledged, and in the middle of the next. */
  last: async (sessionId, body) => {
    const { last } = await log.append(sessionId, [{ kind: 'text', body }]);
    void log.append(sessionId, [{ kind: 'text', body: 'not acknowledged' }]);
    answer({ result: last });
    process.exit(3);
  },

  chdir: async (folder) => process.chdir(folder),
  /** Fills the disk. */
  fill: async (file) => {
    const descriptor = openSync(file, 'a');
    try {
      for (const block = Buffer.alloc(4096); ; ) writeSync(descriptor, block);
    } catch {
      closeSync(descriptor);
    }
  },
  copy: async (file, to) => copyFileSync(file, to),
  delete: async (file) => rmSync(file),
  /** Mounts the disk that is the current directory anew, as `ro` or `rw`. */
  remount: async (mode) => {
    execFileSync('mount', ['-o', `remount,${mode}`, process.cwd()]);
  },
  /** Lets go of the file, and of its write-ahead log with it; the next command opens it again. */
  reopen: async () => {
    await store.close();
    store = sqliteStore({ path });
    log = store.log();
  },
};

const answer = (value: Answer): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name = '', first = '', second = ''] = line.split(' ');
  try {
    answer({ result: await commands[name]?.(first, second) });
  } catch (error) {
    answer({ code: error instanceof StoreError ? error.code : String(error) });
  }
}
