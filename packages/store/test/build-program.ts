import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A program of `test/programs`, built as the package itself is, so that a process runs it without a loader. */
export interface BuiltProgram {
  readonly file: string;
  remove(): void;
}

export async function buildProgram(name: string): Promise<BuiltProgram> {
  const root = new URL('..', import.meta.url);
  // Inside node_modules, so that the database driver is found from there, and out of everybody's way.
  const cache = fileURLToPath(new URL('../../node_modules/.cache', root));
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'parley-store-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  await build({
    absWorkingDir: fileURLToPath(root),
    entryPoints: [
      { in: `test/programs/${name}.ts`, out: name },
      { in: 'src/sqlite/store-thread.program.ts', out: 'sqlite/store-thread.program' },
    ],
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['source'],
    external: ['libsql', 'pg'],
    logLevel: 'error',
  });
  return { file: join(folder, `${name}.js`), remove: () => rmSync(folder, { recursive: true }) };
}
