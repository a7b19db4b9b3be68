import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { needs, onSmallDisk, smallDisk } from '@parley/testing/needs';
import { describe, expect, it } from 'vitest';
import { StoreProcess } from './store-process.ts';
import { temporaryPaths } from './temporary-folder.ts';
import { useProgram } from './use-program.ts';

const newPath = temporaryPaths();
const programFile = useProgram('take-commands');

/** The words before a command whose current directory is a disk of three megabytes. */
function onDisk(): string[] {
  const folder = dirname(newPath());
  mkdirSync(folder, { recursive: true });
  return onSmallDisk(folder, 3);
}

const canMount = smallDisk();

describe('a disk that is full', needs(canMount), () => {
  it('is reported when the store is opened, and forgotten once there is room', async () => {
    await using store = new StoreProcess(programFile(), 'folder/sessions.db', onDisk());
    await store.ask('fill ballast');
    expect(await store.ask('create s')).toEqual({ code: 'store_full' });
    expect(await store.ask('head s')).toEqual({ code: 'store_full' });
    await store.ask('delete ballast');
    await store.ask('create s');
    expect(await store.ask('append s text')).toEqual({ result: 1 });
  });

  it('refuses appends, still reads, loses nothing, and takes appends again once there is room', async () => {
    await using store = new StoreProcess(programFile(), 'folder/sessions.db', onDisk());
    await store.ask('create s');
    const text = 'x'.repeat(3000);
    let last = 0;
    for (let round = 0; round < 3; round++) {
      for (let more = 0; more < 5; more++) last = Number((await store.ask(`append s ${text}`)).result);
      await store.ask('fill ballast');
      let answer = await store.ask(`append s ${text}`);
      for (; answer.code === undefined; answer = await store.ask(`append s ${text}`)) last = Number(answer.result);
      expect(answer).toEqual({ code: 'store_full' });
      expect(await store.ask('head s')).toEqual({ result: last });
      expect(await store.ask('lengths s')).toEqual({ result: Array(last).fill(text.length) });
      await store.ask('delete ballast');
      expect(await store.ask(`append s ${text}`)).toEqual({ result: ++last });
    }
  });

  it('does not keep a session from the one who gave it back meanwhile', async () => {
    await using store = new StoreProcess(programFile(), 'folder/sessions.db', onDisk());
    await store.ask('create s');
    expect(await store.ask('acquire s')).toEqual({ result: 1 });
    await store.ask('fill ballast');
    while ((await store.ask('write s 1')).code === undefined);
    expect(await store.ask('release s 1')).toEqual({ code: 'store_full' });
    expect(await store.ask('held s')).toEqual({ result: false });
    expect(await store.ask('acquire s')).toEqual({ code: 'store_full' });
    await store.ask('delete ballast');
    expect(await store.ask('acquire s')).toEqual({ result: 2 });

    // The same without anybody who wants it again here: it is given back as soon as that is possible.
    await store.ask('fill ballast');
    while ((await store.ask('write s 2')).code === undefined);
    expect(await store.ask('release s 2')).toEqual({ code: 'store_full' });
    await store.ask('delete ballast');
    for (let answer = await store.ask('stored s'); answer.result !== null; answer = await store.ask('stored s'));
  });
});

describe('a file system that is read-only', needs(canMount), () => {
  it('is read, refuses to be written, and is written again once it can be', async () => {
    await using store = new StoreProcess(programFile(), 'folder/sessions.db', onDisk());
    await store.ask('create s');
    expect(await store.ask('append s text')).toEqual({ result: 1 });
    await store.ask('reopen');
    await store.ask('remount ro');
    for (let round = 0; round < 2; round++) {
      expect(await store.ask('lengths s')).toEqual({ result: [4] });
      expect(await store.ask('append s more')).toEqual({ code: 'store_readonly' });
      expect(await store.ask('acquire s')).toEqual({ code: 'store_readonly' });
      expect(await store.ask('create t')).toEqual({ code: 'store_readonly' });
      expect(await store.ask('held s')).toEqual({ result: false });
    }
    await store.ask('remount rw');
    expect(await store.ask('append s again')).toEqual({ result: 2 });
    expect(await store.ask('lengths s')).toEqual({ result: [4, 5] });
  });

  it('is not read while what was saved last is only in the write-ahead log', async () => {
    await using store = new StoreProcess(programFile(), 'folder/sessions.db', onDisk());
    await store.ask('create s');
    await store.ask('reopen');
    // A log that some other program left behind when it was killed.
    expect(await store.ask('append s text')).toEqual({ result: 1 });
    expect(await store.ask('copy folder/sessions.db-wal wal')).toEqual({});
    await store.ask('reopen');
    expect(await store.ask('copy wal folder/sessions.db-wal')).toEqual({});
    await store.ask('remount ro');
    expect(await store.ask('head s')).toEqual({ code: 'store_readonly' });
  });
});
