import { mkdtemp, rm } from 'node:fs/promises';
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
