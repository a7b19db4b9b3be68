import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readStartTime, reapStrays, type SpawnedProcess, spawnChild } from '@parley/host/process';
import { type BuiltProgram, buildProgram } from '@parley/testing/build-program';
import { needs, PROC } from '@parley/testing/needs';
import { FAMILY_SCRIPT as FAMILY, isRunning, untilGone } from '@parley/testing/processes';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const RUNAWAYS = fileURLToPath(new URL('./programs/runaways.mjs', import.meta.url));

/** Without `/proc`, who has left the group and lost its parent cannot be found. */

describe('when a parent is gone', () => {
  let program: BuiltProgram;
  let folder: string;
  const started: number[] = [];

  beforeAll(async () => {
    program = await buildProgram(new URL('./programs/parent.ts', import.meta.url));
  });
  afterAll(() => program.remove());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-orphans-'));
  });
  afterEach(async () => {
    for (const pid of started.splice(0)) kill(pid);
    await rm(folder, { recursive: true });
  });

  async function startParent(ending: 'wait' | 'exit' | 'throw' = 'wait', script = FAMILY) {
    const parent = spawn(process.execPath, [program.path, script, folder, ending], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = await once(createInterface(parent.stdout), 'line');
    const { family, watchdog } = JSON.parse(line) as { family: [number, ...number[]]; watchdog: number };
    started.push(...family);
    return { parent, family, watchdog };
  }

  it('however it went, its processes end within five seconds, though they ignore SIGTERM', async () => {
    const parents = await Promise.all([startParent('wait'), startParent('exit'), startParent('throw')]);
    const [killed, ...others] = parents;
    expect(killed.family.map(isRunning)).toEqual([true, true]);
    killed.parent.kill('SIGKILL');
    await Promise.all(parents.map(({ parent }) => exitOf(parent)));
    expect(others.map(({ parent }) => parent.exitCode)).toEqual([0, 1]);
    await untilGone(
      parents.flatMap(({ family, watchdog }) => [...family, watchdog]),
      5000,
    );
  });

  it('and its watchdog too, the next start reaps what is left', async () => {
    const { parent, family, watchdog } = await startParent();
    kill(watchdog);
    await end(parent);
    expect(await reapStrays({ recordsDir: folder, termGraceMs: 50 })).toMatchObject([
      { pid: family[0], command: 'sh' },
    ]);
    await untilGone(family, 0);
    expect(await readdir(folder)).toEqual([]);
  });

  it('and its watchdog and the process itself, the next start still finds the children', async () => {
    const { parent, family, watchdog } = await startParent();
    kill(watchdog);
    await end(parent);
    kill(family[0]);
    await untilGone([family[0]], 1000);
    expect(await reapStrays({ recordsDir: folder, termGraceMs: 50 })).toHaveLength(1);
    await untilGone(family, 0);
  });

  it('those who left the group end as well: by the watchdog', needs(PROC), async () => {
    const parents = await Promise.all([startParent('wait', RUNAWAYS), startParent('exit', RUNAWAYS)]);
    await end(parents[0].parent);
    const all = parents.flatMap(({ family }) => family);
    await untilGone(all, 10_000);
    expect(all.filter(isRunning)).toEqual([]);
  });

  it('those who left the group end as well: at the next start', needs(PROC), async () => {
    const { parent, family, watchdog } = await startParent('wait', RUNAWAYS);
    kill(watchdog);
    await end(parent);
    await untilGone([family[0]], 5000);
    expect(family.slice(1).map(isRunning)).toEqual([true, true, true]);
    expect(await reapStrays({ recordsDir: folder, termGraceMs: 50 })).toHaveLength(1);
    await untilGone(family, 0);
    expect(await readdir(folder)).toEqual([]);
  });

  it('a next start that is over soon does not leave before those who ignore SIGTERM are killed', async () => {
    const { parent, family, watchdog } = await startParent();
    kill(watchdog);
    await end(parent);
    const leaving = new AbortController();
    const reaping = reapStrays({ recordsDir: folder, termGraceMs: 60_000, signal: leaving.signal });
    leaving.abort();
    await reaping;
    await untilGone(family, 0);
    expect(family.filter(isRunning)).toEqual([]);
  });
});

describe('those who leave the group of a spawned process', needs(PROC), () => {
  it('end when it is closed, even without an environment, and nobody else does', async () => {
    const stranger = await spawnChild({ command: 'sleep', args: ['1000'], recordsDir: false });
    const runaways = await spawnChild({
      command: process.execPath,
      args: [RUNAWAYS, '--nameless'],
      recordsDir: false,
      termGraceMs: 100,
    });
    const pids = await pidsOf(runaways);
    expect(pids).toHaveLength(5);
    await runaways.stop();
    await untilGone(pids, 0);
    expect(isRunning(stranger.pid)).toBe(true);
    await stranger.stop();
  });

  it('end when it crashes', async () => {
    const runaways = await spawnChild({
      command: process.execPath,
      args: [RUNAWAYS],
      recordsDir: false,
      termGraceMs: 100,
    });
    const pids = await pidsOf(runaways);
    kill(runaways.pid);
    await runaways.stop();
    await untilGone(pids, 0);
    expect(pids.filter(isRunning)).toEqual([]);
  });
});

describe('reaping strays', () => {
  let folder: string;
  let bystander: ChildProcess;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-records-'));
    bystander = spawn('sleep', ['1000'], { detached: true });
  });
  afterEach(async () => {
    await end(bystander);
    await rm(folder, { recursive: true });
  });

  const save = (record: Record<string, unknown>) => writeFile(join(folder, 'a.json'), JSON.stringify(record));
  const describeBystander = async () => ({
    pid: bystander.pid ?? 0,
    startTime: await readStartTime(bystander.pid ?? 0),
    launchId: 'some-launch',
    command: 'sleep',
    owner: { pid: process.pid, startTime: 'before this process' },
  });

  it('ends a recorded process whose owner is gone', async () => {
    await save(await describeBystander());
    expect(await reapStrays({ recordsDir: folder })).toHaveLength(1);
    await untilGone([bystander.pid ?? 0], 0);
  });

  it('never touches a process that only has the same id', async () => {
    await save({ ...(await describeBystander()), startTime: 'another time' });
    expect(await reapStrays({ recordsDir: folder })).toEqual([]);
    expect(isRunning(bystander.pid ?? 0)).toBe(true);
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves the processes of a living owner alone', async () => {
    const owner = { pid: process.pid, startTime: await readStartTime(process.pid) };
    await save({ ...(await describeBystander()), owner });
    expect(await reapStrays({ recordsDir: folder })).toEqual([]);
    expect(isRunning(bystander.pid ?? 0)).toBe(true);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it.each([
    ['no JSON', 'x'],
    ['an empty record', '{}'],
    ['null', 'null'],
    ['every process there is', '{"pid":1,"startTime":"","launchId":"","command":"","owner":{"pid":2,"startTime":""}}'],
    ['our own group', '{"pid":0,"startTime":"","launchId":"","command":"","owner":{"pid":2,"startTime":""}}'],
  ])('takes no orders from a file that holds %s', async (_, content) => {
    await writeFile(join(folder, 'a.json'), content);
    expect(await reapStrays({ recordsDir: folder })).toEqual([]);
  });

  it('finds nothing where nothing was ever recorded', async () => {
    expect(await reapStrays({ recordsDir: join(folder, 'none') })).toEqual([]);
  });
});

/** The process ids that a program tells in its first line. */
async function pidsOf({ stdout }: SpawnedProcess): Promise<number[]> {
  const [line] = await once(createInterface(stdout), 'line');
  return (JSON.parse(line) as { params: number[] }).params;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already, which is what we want.
  }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await exitOf(child);
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
