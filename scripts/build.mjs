// `npm run build`: declarations by tsc, code by esbuild, into each package's dist/. With `--code`, code alone.
//
// A library has one file for each entry point of its package.json, plus chunks of what these share (but see JOINED); other packages stay
// imports, so nothing is loaded twice, but for what ALONE and INSIDE name. A program (`*.program.ts`: a process or a
// thread) is a bundle of its own with the packages of this repository inside: a start opens a few files instead of
// hundreds. What it loads later, by `import()`, are chunks; what `parley` loads at its start is one file (`join-chunks.mjs`).
// Packages of others are imports everywhere, and declared by the package that has the program.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { joinChunks } from './join-chunks.mjs';
import { joinEntry } from './join-entry.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
if (!process.argv.includes('--code')) {
  const types = spawnSync('tsc', ['-b'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (types.status !== 0) process.exit(1);
}

/**
 * Packages whose entry points stand alone, and single entry points that do: each becomes exactly one file, with its own copy
 * of what they share. An agent loads `transports/stdio`, `policy/modes` and `protocol/initialize` before it can answer, and
 * starts faster for it; nothing compares classes or symbols across these entry points.
 */
const ALONE = new Set(['transports', 'policy', 'protocol/initialize', 'protocol/helpers', 'jsonrpc/internal']);

/**
 * Entry points of other packages that a library carries inside, as programs do. The runtime of an agent is six files, and
 * Node's own resolver stays cold: with fourteen it became hot and was compiled, which took more memory than the agent.
 * Only functions over plain data may be carried. What is thrown, compared or shared across packages stays an import
 * (`@parley/jsonrpc`); what a validator returns (`INVALID`) is only compared within its own copy, and `ValidationError`
 * knows its copies by their code. `@parley/protocol/unstable` only throws and returns, and is loaded by few.
 */
const INSIDE = {
  agent: [
    '@parley/jsonrpc/internal',
    '@parley/protocol',
    '@parley/protocol/initialize',
    '@parley/protocol/unstable/fields',
    '@parley/session',
    '@parley/session/log',
  ],
};

/**
 * Packages whose first entry point is one file, which has what it shares with the others. Agents and connections load these
 * at their start, where each file counts.
 */
const JOINED = new Set(['agent', 'protocol']);

/**
 * Packages whose programs are scripts, by what they are loaded, what they carry of others, what they load in any case, and
 * which of them picks another.
 */
const SCRIPTS = {
  cli: {
    loader: 'src/start/load-script.ts',
    carried: ['commander', 'get-east-asian-width'],
    certain: ['../dialects/src/speak.ts'],
    starter: 'src/parley.program.ts',
  },
};

const names = readdirSync(join(root, 'packages')).filter((name) => existsSync(manifestOf(name)));
const manifests = new Map(names.map((name) => [name, JSON.parse(readFileSync(manifestOf(name), 'utf8'))]));
const programs = names.flatMap((name) => listPrograms(name));
/** What is not of this repository, as esbuild wants to have it named. */
const packagesOfOthers = [...manifests.values()]
  .flatMap(({ dependencies = {}, peerDependencies = {} }) => Object.keys({ ...dependencies, ...peerDependencies }))
  .filter((name) => !name.startsWith('@parley/'))
  .flatMap((name) => [name, `${name}/*`]);

for (const name of names) {
  const written = await buildLibrary(name);
  const building = programs.filter((program) => program.package === name);
  for (const program of building) {
    const { outputs, inputs } = await buildProgram(name, program);
    const scripts = SCRIPTS[name];
    written.push(
      ...(scripts ? await joinChunks(join(root, 'packages', name), outputs, scripts) : Object.keys(outputs)),
    );
    building.push(...startedFrom(name, inputs).filter((each) => !building.includes(each)));
  }
  removeOld(name, written);
  writeLicenses(name);
}
await writePage();

/** The page of the web client, as browsers get it. Files of earlier builds go. */
async function writePage() {
  const { buildPage } = await import('../packages/web/scripts/build-page.mjs');
  const { files } = await buildPage();
  const folder = join(root, 'packages', 'web', 'dist', 'page');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const [path, content] of files) writeFileSync(join(folder, path), content);
}

/** What package.json exports, by its `source` condition. */
async function buildLibrary(name) {
  const { exports = {} } = manifests.get(name);
  // An entry point may have another source for browsers.
  const entries = Object.entries(exports).flatMap(([path, { source, browser }]) =>
    [source, browser?.source].filter(Boolean).map((each) => [path, { source: each }]),
  );
  const isAlone = ([path]) => ALONE.has(name) || ALONE.has(join(name, path).replaceAll('\\', '/'));
  const alone = entries.filter(isAlone).map(([, { source }]) => source);
  const together = entries.filter((entry) => !isAlone(entry)).map(([, { source }]) => source);
  const options = { ...commonOptions(name), conditions: ['source'], plugins: [carryOnly(INSIDE[name] ?? [])] };
  const built = [
    ...(alone.length > 0 ? [await build({ ...options, entryPoints: alone })] : []),
    ...(together.length > 0 ? [await build({ ...options, entryPoints: together, splitting: true })] : []),
  ];
  const written = built.flatMap(({ metafile }) => Object.keys(metafile.outputs));
  if (!JOINED.has(name)) return written;
  const { outputs } = built.at(-1).metafile;
  const left = await joinEntry(join(root, 'packages', name), outputs, 'dist/index.js');
  return written.filter((path) => !(path in outputs) || left.includes(path));
}

async function buildProgram(name, { source, path }) {
  const { metafile } = await build({
    ...commonOptions(name),
    // Its own, also where another program has the same: they come to stand for what is in this one.
    chunkNames: `chunks/${basename(path, '.program')}-[name]-[hash]`,
    entryPoints: [{ in: source, out: path }],
    splitting: true,
    conditions: ['source'],
    external: ['node:*', ...packagesOfOthers],
    plugins: [keepProgramsApart()],
  });
  return metafile;
}

function commonOptions(name) {
  return {
    absWorkingDir: join(root, 'packages', name),
    outbase: 'src',
    outdir: 'dist',
    bundle: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'neutral',
    external: ['node:*'],
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  };
}

/** Every package is an import, except these entry points. */
function carryOnly(inside) {
  return {
    name: 'carry-only',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || inside.includes(path)) return undefined;
        return { path, external: true };
      });
    },
  };
}

/** An imported program is a bundle of its own: beside the program that imports it, one folder up from a chunk. */
function keepProgramsApart() {
  return {
    name: 'keep-programs-apart',
    setup({ onResolve }) {
      onResolve({ filter: /\.program\.ts$/ }, ({ path, kind, importer }) => {
        if (kind === 'entry-point') return undefined;
        const folder = importer.endsWith('.program.ts') ? '.' : '..';
        return { path: `${folder}/${basename(path, '.ts')}.js`, external: true };
      });
    },
  };
}

function listPrograms(name) {
  const folder = join(root, 'packages', name, 'src');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.program.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((source) => ({
      package: name,
      source,
      path: relative(folder, source).replaceAll('\\', '/').replace(/\.ts$/, ''),
    }));
}

/** A program in a room is started by the code of that room, so it goes along wherever that code is bundled. */
function startedFrom(name, inputs) {
  const rooms = new Set(Object.keys(inputs).map((input) => dirname(join(root, 'packages', name, input))));
  return programs.filter(({ source, path }) => path.includes('/') && rooms.has(dirname(source)));
}

/** Whose code a package carries, in the words that go with it. */
function writeLicenses(name) {
  const { carried = [] } = SCRIPTS[name] ?? {};
  const texts = carried.map((other) => {
    const folder = join(root, 'node_modules', other);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const license = readdirSync(folder).find((file) => /^licen[cs]e$/i.test(file)) ?? '';
    return `${other} ${version}\n\n${readFileSync(join(folder, license), 'utf8').trim()}\n`;
  });
  if (texts.length > 0) writeFileSync(join(root, 'packages', name, 'dist', 'carried-licenses.txt'), texts.join('\n'));
}

/** Chunks and scripts of earlier builds would be published with those of this one. */
function removeOld(name, written) {
  const dist = join(root, 'packages', name, 'dist');
  for (const folder of ['', 'chunks']) {
    if (!existsSync(join(dist, folder))) continue;
    const files = readdirSync(join(dist, folder)).filter((file) => folder === 'chunks' || /\.cjs(\.map)?$/.test(file));
    for (const file of files)
      if (!written.includes(['dist', folder, file].filter(Boolean).join('/'))) rmSync(join(dist, folder, file));
  }
}

function manifestOf(name) {
  return join(root, 'packages', name, 'package.json');
}
