import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const dist = join(root, 'packages', 'cli', 'dist');
const stamp = join(dist, '.built');
const lock = join(dist, '.building');

/** How long another test file may take to build. */
const MAX_WAIT_MS = 120_000;

/**
 * Builds the real command where its sources are newer than it is; test files that run at once build it once. With
 * `PARLEY_TEST_BUILT` set, what is there is taken as it is.
 */
export async function buildParley(): Promise<string> {
  if (process.env.PARLEY_TEST_BUILT) return join(dist, 'parley.program.cjs');
  mkdirSync(dist, { recursive: true });
  for (const deadline = Date.now() + MAX_WAIT_MS; !isFresh(); ) {
    if (takeLock()) {
      try {
        if (!isFresh()) build();
      } finally {
        rmSync(lock, { recursive: true, force: true });
      }
    } else if (Date.now() > deadline) {
      rmSync(lock, { recursive: true, force: true });
      throw new Error('Another process has been building for two minutes; try again.');
    } else {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return join(dist, 'parley.program.cjs');
}

function build(): void {
  const startedAt = new Date();
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--code'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The build failed:\n${stderr}`);
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
}

function isFresh(): boolean {
  return existsSync(stamp) && existsSync(join(dist, 'parley.program.cjs')) && newestSource() <= statSync(stamp).mtimeMs;
}

function newestSource(): number {
  let newest = 0;
  for (const name of readdirSync(join(root, 'packages'))) {
    const folder = join(root, 'packages', name, 'src');
    if (!existsSync(folder)) continue;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || /\.test(-d)?\.ts$/.test(entry.name)) continue;
      newest = Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs);
    }
  }
  return newest;
}

function takeLock(): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}
