import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

/** A TypeScript program made into one file that plain `node` runs. */
export interface BuiltProgram {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/**
 * Bundles a program from the sources of this repository, so that tests can start it without loaders or a build. Test files of one run
 * share it (`test/shared-programs.ts`); it is removed after the run.
 */
export function buildProgram(entry: URL): Promise<BuiltProgram> {
  return buildOnce(entry, { file: 'program.mjs', parent: tmpdir() }, (folder) =>
    bundle({ entryPoints: [fileURLToPath(entry)], outfile: join(folder, 'program.mjs'), logLevel: 'silent' }),
  );
}

/**
 * The same for a program that keeps sessions in SQLite: built as the packages are, with the thread of the store in a file of its own, and inside node_modules, so that
 * the drivers of databases are found from there.
 */
export function buildStoreProgram(entry: URL): Promise<BuiltProgram> {
  const parent = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));
  return buildOnce(entry, { file: 'program.js', parent }, async (folder) => {
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const thread = new URL('../../store/src/sqlite/store-thread.program.ts', import.meta.url);
    await bundle({
      entryPoints: [
        { in: fileURLToPath(entry), out: 'program' },
        { in: fileURLToPath(thread), out: 'sqlite/store-thread.program' },
      ],
      outdir: folder,
      splitting: true,
      chunkNames: 'chunks/[name]-[hash]',
      external: ['libsql', 'pg', '@modelcontextprotocol/client'],
      logLevel: 'error',
    });
  });
}

interface Place {
  readonly file: string;
  /** The folder in which programs have their folders. */
  readonly parent: string;
}

async function buildOnce(
  entry: URL,
  { file, parent }: Place,
  build: (folder: string) => Promise<unknown>,
): Promise<BuiltProgram> {
  const run = process.env.PARLEY_TEST_RUN;
  const shared = run && join(parent, run, createHash('sha256').update(entry.href).digest('hex').slice(0, 16));
  if (shared && existsSync(shared)) return { path: join(shared, file), remove: async () => {} };
  await mkdir(run ? join(parent, run) : parent, { recursive: true });
  const folder = await mkdtemp(join(run ? join(parent, run) : parent, 'parley-program-'));
  await build(folder);
  if (!shared) return { path: join(folder, file), remove: () => rm(folder, { recursive: true, force: true }) };
  // Another worker may have built it meanwhile; a folder with files is not replaced.
  await rename(folder, shared).catch(() => rm(folder, { recursive: true, force: true }));
  return { path: join(shared, file), remove: async () => {} };
}

function bundle(options: BuildOptions): Promise<unknown> {
  return build({
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['source'],
    ...options,
  });
}
