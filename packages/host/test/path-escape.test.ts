import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGuardedFiles, type GuardedFiles } from '@parley/host/files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SECRET = 'the crown jewels';
/** How long the race goes on; `PARLEY_RACE_SECONDS=60` for a thorough one. */
const RACE_SECONDS = Number(process.env.PARLEY_RACE_SECONDS ?? 5);

let base = '';
let root = '';
let outside = '';
let files: GuardedFiles;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'parley-escape-')));
  root = join(base, 'root');
  outside = join(base, 'outside');
  files = createGuardedFiles({ roots: [root] });
  for (const folder of [join(root, 'a', 'b'), join(outside, 'dir'), join(base, 'root2'), join(base, 'rootling')]) {
    await mkdir(folder, { recursive: true });
  }
  for (const file of [
    join(outside, 'secret'),
    join(outside, 'dir', 'secret'),
    join(base, 'root2', 'secret'),
    join(base, 'rootling', 'secret'),
    join(base, 'secret'),
  ]) {
    await writeFile(file, SECRET);
  }
  const links: Record<string, string> = {
    'link-file': join(outside, 'secret'),
    'link-dir': outside,
    'link-relative': '../outside',
    'link-up': '..',
    'link-root': '/',
    'link-proc': '/proc/self/root',
    'link-chain': 'link-dir',
    'link-dangling': join(outside, 'not-there'),
    'link-dangling-dir': join(outside, 'not', 'there'),
    'link-loop': 'link-loop',
    'a/link-deep': '../../outside',
    'a/b/link-file': '../../../outside/secret',
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(root, name));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const read = (path: string): Promise<string> => files.readText(path);
const write = (path: string): Promise<void> => files.write(path, Buffer.from('owned'));

/** Every way out that a path can be written, each to be tried for reading and for writing. */
function escapes(): string[] {
  const up = [
    '..',
    '../..',
    '../../..',
    'a/..',
    'a/../..',
    'a/b/../../..',
    './..',
    './/..',
    'a/./../..',
    'a//b/..//../..',
    'missing/..',
    'missing/../..',
    'a/b/../../../root/..',
    '../root/..',
    'x/y/z/../../../..',
  ];
  const targets = [
    'outside/secret',
    'outside/dir/secret',
    'root2/secret',
    'rootling/secret',
    'secret',
    'outside/new',
    'outside/new/deep/file',
  ];
  const dotted = up.flatMap((way) => targets.map((target) => `${root}/${way}/${target}`));
  const linked = [
    'link-dir',
    'link-relative',
    'link-chain',
    'a/link-deep',
    'link-dir/dir/..',
    'a/../link-dir',
    'a/b/../link-deep',
  ].flatMap((way) => ['secret', 'dir/secret', 'new', 'new/deep/file'].map((name) => `${root}/${way}/${name}`));
  const climbing = ['link-up', 'link-root', 'link-proc'].flatMap((way) =>
    targets.map((target) => (way === 'link-up' ? `${root}/${way}/${target}` : `${root}/${way}${base}/${target}`)),
  );
  const files = [
    'link-file',
    'a/b/link-file',
    'link-dangling',
    'link-dangling-dir',
    'link-loop',
    'link-loop/x',
    'link-file/x',
  ].map((name) => `${root}/${name}`);
  const absolute = [
    `${outside}/secret`,
    `${base}/root2/secret`,
    `${root}2/secret`,
    `${root}ling/secret`,
    `${root}/../root2/secret`,
    '/etc/passwd',
    '/etc/parley-new',
    '/proc/self/environ',
    `/proc/self/cwd/../../../../..${outside}/secret`,
    '/',
    '/dev/null',
    '/dev/stdin',
    `${root}/.`,
    `${root}/`,
    root,
    `${root}/..`,
    `//${outside}/secret`,
    `///..//${outside}/secret`,
    `${base}/./outside/secret`,
    `${outside}/secret/`,
    `/proc/self/root${outside}/secret`,
  ];
  const odd = [
    '',
    '.',
    '..',
    'a',
    'secret',
    './secret',
    '../outside/secret',
    '~/secret',
    '~',
    `file://${outside}/secret`,
    `${root}\0/../outside/secret`,
    `${root}/a\0`,
    'C:\\outside\\secret',
    '\\\\server\\share',
    `${root}/${'x'.repeat(5000)}`,
    `${root}/${'../'.repeat(1000)}etc/passwd`,
  ];
  return [...dotted, ...linked, ...climbing, ...files, ...absolute, ...odd];
}

describe('a path that leads out', () => {
  it('is refused in every spelling, for reading and for writing, and nothing outside changes', async () => {
    const paths = escapes();
    expect(paths.length).toBeGreaterThanOrEqual(150);
    const leaks: string[] = [];
    let refused = 0;
    for (const path of paths) {
      const onRefusal = ({ code }: { code: string }): void => {
        expect(REFUSALS, path).toContain(code);
        refused += 1;
      };
      const text = await read(path).catch(onRefusal);
      if (text === SECRET) leaks.push(path);
      await write(path).catch(onRefusal);
    }
    expect(leaks).toEqual([]);
    expect(refused).toBeGreaterThanOrEqual(300);
    expect(await everythingOutside()).toEqual(new Set([SECRET]));
    await expect(stat('/etc/parley-new')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is told to the agent as forbidden, without saying what is there', async () => {
    await expect(read(`${root}/../outside/secret`)).rejects.toMatchObject({ code: 'path_forbidden' });
    await expect(read(`${root}/../outside/not-there`)).rejects.toMatchObject({ code: 'path_forbidden' });
  });
});

describe('a directory that is swapped for a symlink while we work', () => {
  it(`never leads out, in ${RACE_SECONDS} s of trying`, { timeout: (RACE_SECONDS + 20) * 1000 }, async () => {
    const real = join(root, 'race');
    const hidden = join(root, 'race-hidden');
    const trap = join(root, 'race-trap');
    await mkdir(real);
    await writeFile(join(real, 'secret'), 'inside');
    await symlink(outside, trap);
    const swapper = spawn(process.execPath, ['-e', SWAP, real, hidden, trap], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(swapper.stdout, 'data');
    const deadline = Date.now() + RACE_SECONDS * 1000;
    let attempts = 0;
    let successes = 0;
    const leaks: string[] = [];
    const attack = async (worker: number): Promise<void> => {
      for (let round = 0; Date.now() < deadline; round += 1) {
        attempts += 2;
        await write(join(real, `w${worker}-${round % 8}`)).then(
          () => (successes += 1),
          () => {},
        );
        const text = await read(join(real, 'secret')).catch(() => '');
        if (text === SECRET) leaks.push('read');
      }
    };
    await Promise.all(Array.from({ length: 4 }, (_, worker) => attack(worker)));
    swapper.stdin.end();
    const [swaps] = await once(swapper.stdout, 'data');
    expect(leaks).toEqual([]);
    expect(await everythingOutside()).toEqual(new Set([SECRET]));
    expect(attempts).toBeGreaterThan(100);
    expect(Number(swaps)).toBeGreaterThan(100);
    expect(successes).toBeGreaterThan(0);
  });
});

/** Swaps the directory for the symlink and back as fast as it can, until its input ends; then says how often. */
const SWAP = `
const fs = require('node:fs');
const [real, hidden, trap] = process.argv.slice(1);
const attempt = (work) => { try { work(); } catch {} };
let swaps = 0, isOver = false;
process.stdin.on('end', () => { isOver = true; }).resume();
process.stdout.write('ready');
(function loop() {
  for (let i = 0; i < 50; i += 1) {
    attempt(() => fs.renameSync(real, hidden));
    attempt(() => { fs.renameSync(trap, real); swaps += 1; });
    attempt(() => { if (fs.lstatSync(real).isSymbolicLink()) fs.renameSync(real, trap); else fs.rmSync(real, { recursive: true }); });
    attempt(() => fs.renameSync(hidden, real));
  }
  if (isOver) process.stdout.write(String(swaps), () => process.exit(0));
  else setImmediate(loop);
})();
`;

const REFUSALS = ['path_forbidden', 'path_invalid', 'file_not_found', 'not_a_file'];

/** What the files outside the root hold; the names of new files would be here too. */
async function everythingOutside(): Promise<Set<string>> {
  const texts = new Set<string>();
  for (const folder of [outside, join(base, 'root2'), join(base, 'rootling')]) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      texts.add(
        entry.name === 'secret' ? await readFile(join(entry.parentPath, entry.name), 'utf8') : `new file ${entry.name}`,
      );
    }
  }
  texts.add(await readFile(join(base, 'secret'), 'utf8'));
  return texts;
}

describe('a root that is replaced', () => {
  it('by a link to elsewhere, or by another folder, is closed from then on', async () => {
    const folder = join(base, 'replaced');
    const path = join(folder, 'secret');
    await mkdir(folder);
    const pinned = createGuardedFiles({ roots: [folder] });
    await pinned.write(path, Buffer.from('mine'));
    await rename(folder, `${folder}-away`);
    await symlink(outside, folder);
    await expect(pinned.readText(path)).rejects.toMatchObject({ code: 'path_forbidden' });
    await expect(pinned.requireInside(path)).rejects.toMatchObject({ code: 'path_forbidden' });
    await rm(folder);
    await mkdir(folder);
    const write = pinned.write(path, Buffer.from('x'));
    await expect(write).rejects.toThrow('is not the directory it was');
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not replace a file that is marked read-only, whoever asks', async () => {
    const path = join(root, 'read-only.txt');
    await writeFile(path, 'kept', { mode: 0o444 });
    const write = files.write(path, Buffer.from('x'));
    await expect(write).rejects.toMatchObject({ code: 'path_forbidden' });
    expect(await readFile(path, 'utf8')).toBe('kept');
  });
});
