import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A TypeScript program made into one file that plain `node` runs. */
export interface BuiltProgram {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Bundles a program from the sources of this repository, so that tests can start it without loaders or a build. */
export async function buildProgram(entry: URL): Promise<BuiltProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-program-'));
  const path = join(folder, 'program.mjs');
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['source'],
    logLevel: 'silent',
  });
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * The same for a program that keeps sessions in SQLite: built as the packages are, with the thread of the store in a file of its own, and inside node_modules, so that
 * the drivers of databases are found from there.
 */
export async function buildStoreProgram(entry: URL): Promise<BuiltProgram> {
  const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'parley-program-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const thread = new URL('../../store/src/sqlite/store-thread.program.ts', import.meta.url);
  await build({
    entryPoints: [
      { in: fileURLToPath(entry), out: 'program' },
      { in: fileURLToPath(thread), out: 'sqlite/store-thread.program' },
    ],
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['source'],
    external: ['libsql', 'pg', '@modelcontextprotocol/client'],
    logLevel: 'error',
  });
  return { path: join(folder, 'program.js'), remove: () => rm(folder, { recursive: true, force: true }) };
}
