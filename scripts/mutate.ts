// Measures the tests: breaks random places in the core packages, one at a time, and counts how many of them `npm test` notices. On demand:
//   npm run mutate [-- --count 200 --seed 1 --package policy]
// Works in a copy of the repository. A broken place is tried on the tests of its own package first, then on all others.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '@parley/testing/mutations';
import { packages, root } from '../test/architecture/repository.ts';
import { link } from '../test/support/repository-copy.ts';
import { findMutations, type Mutation } from './mutation/find-mutations.ts';

interface Place extends Mutation {
  readonly folder: string;
  readonly file: string;
}

const PACKAGES = ['session', 'agent', 'client', 'policy', 'gateway', 'store'];
/** The share of broken places that the tests must notice. */
const MIN_CAUGHT = 0.9;
const MAX_RUN_MS = 1_800_000;
/** How much is shown of a failure in an unchanged copy. */
const MAX_SHOWN = 4000;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    package: { type: 'string', multiple: true, default: PACKAGES },
  },
});
const copy = mkdtempSync(join(tmpdir(), 'parley-mutate-'));
try {
  copyTree();
  requireGreen();
  const places = choosePlaces(Number(values.count));
  console.log('Tests of the own package:');
  const left = tryAll(places, ({ folder }) => [`${folder}/`]);
  console.log('\nTests of all other packages:');
  const survivors = tryAll(left, ({ folder }) => [`--exclude=${folder}/**`]);
  const caught = places.length - survivors.length;
  console.log(`\n${caught} of ${places.length} broken places were noticed (${percent(caught / places.length)}).`);
  for (const place of survivors) console.log(`  ${describe(place)}`);
  if (caught < places.length * MIN_CAUGHT) process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** Copies the sources and links the installed packages; the workspaces are those of the copy. */
function copyTree(): void {
  const skipped = ['node_modules', 'dist', '.git'];
  cpSync(root, copy, { recursive: true, filter: (path) => !skipped.includes(basename(path)) });
  mkdirSync(join(copy, 'node_modules', '@parley'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const isOwn = name === '@parley' || name.startsWith('.');
    if (!isOwn) link(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  }
  for (const { folder } of packages) {
    link(join(copy, folder), join(copy, 'node_modules', '@parley', basename(folder)));
    const modules = join(folder, 'node_modules');
    if (existsSync(join(root, modules))) link(join(root, modules), join(copy, modules));
  }
}

/** A copy whose tests fail unchanged would report every broken place as noticed. */
function requireGreen(): void {
  for (const name of values.package) {
    const { status, stdout, stderr } = runTests([`packages/${name}/`]);
    const shown = `${stdout}${stderr}`.slice(-MAX_SHOWN);
    if (status !== 0) throw new Error(`The tests of ${name} fail in an unchanged copy:\n${shown}`);
  }
}

function choosePlaces(count: number): readonly Place[] {
  const places = packages
    .filter(({ folder }) => values.package.includes(basename(folder)))
    .flatMap(({ folder, sources }) => sources.map((file) => ({ folder, file })))
    .filter(({ file }) => file.endsWith('.ts') && !file.endsWith('.gen.ts'))
    .flatMap(({ folder, file }) =>
      findMutations(readFileSync(join(root, file), 'utf8')).map((mutation) => ({ ...mutation, folder, file })),
    );
  const random = createRandom(Number(values.seed));
  const chosen = new Set<Place>();
  while (chosen.size < Math.min(count, places.length)) {
    chosen.add(random.pick(places));
  }
  return [...chosen];
}

/** Breaks one place after the other and runs tests; returns the places that they did not notice. */
function tryAll(places: readonly Place[], filesFor: (place: Place) => readonly string[]): readonly Place[] {
  return places.filter((place, index) => {
    const startedAt = Date.now();
    const path = join(copy, place.file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, source.slice(0, place.start) + place.replacement + source.slice(place.end));
    const isLeft = runTests(filesFor(place)).status === 0;
    writeFileSync(path, source);
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
    console.log(
      `${index + 1}/${places.length} ${isLeft ? 'NOT NOTICED' : 'noticed'} (${seconds} s) ${describe(place)}`,
    );
    return isLeft;
  });
}

function runTests(files: readonly string[]): SpawnSyncReturns<string> {
  const lanes = ['--project=unit', '--project=integration'];
  // A test that hangs has noticed the broken place. The time limits are those of the suite: shorter ones fail on a busy machine.
  const limits = ['--bail=1', '--reporter=dot'];
  return spawnSync(join(root, 'node_modules', '.bin', 'vitest'), ['run', ...lanes, ...limits, ...files], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: MAX_RUN_MS,
    killSignal: 'SIGKILL',
  });
}

function describe({ file, start, end, replacement }: Place): string {
  const source = readFileSync(join(root, file), 'utf8');
  const line = source.slice(0, start).split('\n').length;
  const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text).replaceAll('\n', ' ');
  return `${file}:${line}: ${shorten(source.slice(start, end))} -> ${shorten(replacement) || '(removed)'}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
