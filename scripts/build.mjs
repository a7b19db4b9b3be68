// `npm run build`: declarations by tsc, code by esbuild, into each package's dist/. With `--code`, code alone.
// Each entry point becomes one file (plus shared chunks), because loading dozens of small modules costs an agent some
// twenty milliseconds at every start. Other packages stay imports, so nothing is loaded twice.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { foldChunks } from './fold-chunks.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
if (!process.argv.includes('--code')) {
  const types = spawnSync('tsc', ['-b'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (types.status !== 0) process.exit(1);
}

/**
 * Packages whose entry points stand alone: each becomes exactly one file, with its own copy of what they share. An agent
 * loads only `stdio`, and starts faster for it; nothing compares classes across these entry points.
 */
const WHOLE = new Set(['transports', 'policy']);

/** What every run of the command loads, and our agent in it: it must not bring the rest along. */
const LOADED_FIRST = ['src/parley.program.ts', 'src/context.ts', 'src/leave.ts', 'src/agent/serve-agent.ts'];

/**
 * What is loaded together and therefore becomes one file, by package: the entries that every agent loads at its start, and
 * in the command what every run needs and what a single prompt needs.
 */
const FOLDED = {
  // In this order: what stores and every start load takes in what it needs before processes do.
  host: [
    { sources: ['src/places/index.ts'] },
    { sources: ['src/process/process-identity.ts'] },
    { sources: ['src/process/index.ts'] },
  ],
  protocol: [{ sources: ['src/initialize.ts'] }, { sources: ['src/index.ts'] }],
  dialects: [{ sources: ['src/speak.ts'] }, { sources: ['src/launch-config.ts'] }],
  store: [{ sources: ['src/memory/memory-store.ts'] }],
  agent: [{ sources: ['src/index.ts'] }, { sources: ['src/serve/service.ts'] }],
  cli: [
    { sources: ['src/main.ts'], except: LOADED_FIRST },
    {
      sources: [
        'src/commands/exec.ts',
        'src/run/read-prompt.ts',
        'src/run/read-assignments.ts',
        'src/run/start-run.ts',
        'src/run/run-settings.ts',
        'src/output/text-output.ts',
      ],
      except: LOADED_FIRST,
    },
  ],
};

for (const name of readdirSync(join(root, 'packages'))) {
  const folder = join(root, 'packages', name);
  if (!existsSync(join(folder, 'package.json'))) continue;
  const options = {
    absWorkingDir: folder,
    entryPoints: [...exportedSources(folder), ...programs(folder)],
    outbase: 'src',
    outdir: 'dist',
    bundle: true,
    splitting: !WHOLE.has(name),
    chunkNames: 'chunks/[name]-[hash]',
    packages: 'external',
    platform: 'neutral',
    external: ['node:*'],
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    legalComments: 'none',
    logLevel: 'warning',
  };
  const { metafile } = await build({ ...options, metafile: true });
  removeOldChunks(folder, metafile.outputs);
  for (const fold of FOLDED[name] ?? []) await foldChunks({ ...fold, outputs: metafile.outputs, options });
}

/** Chunks of earlier builds would be published with those of this one. */
function removeOldChunks(folder, outputs) {
  const chunks = join(folder, 'dist', 'chunks');
  if (!existsSync(chunks)) return;
  for (const name of readdirSync(chunks)) if (!(`dist/chunks/${name}` in outputs)) rmSync(join(chunks, name));
}

/** What package.json exports, by its `source` condition. */
function exportedSources(folder) {
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.values(exports).flatMap((entry) => (entry.source ? [entry.source] : []));
}

/** Files that run as a process or a worker of their own are named `*.program.ts`. */
function programs(folder) {
  return readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.program.ts'))
    .map((entry) => `./${relative(folder, join(entry.parentPath, entry.name))}`);
}
