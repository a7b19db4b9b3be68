import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const { exports } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly source: string }>>;
};

/** All modules that an entry point can ever load, and those that it needs but does not bring along. */
async function reach(entry: string): Promise<{ readonly inputs: string[]; readonly missing: string[] }> {
  const missing: string[] = [];
  const { metafile } = await build({
    absWorkingDir: packageFolder,
    entryPoints: [exports[entry]?.source ?? ''],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    conditions: ['source'],
    logLevel: 'silent',
    plugins: [
      {
        name: 'modules of a platform',
        setup({ onResolve }) {
          onResolve({ filter: /^(node:|libsql$|pg$)/ }, ({ path }) => {
            missing.push(path);
            return { path, external: true };
          });
        },
      },
    ],
  });
  return { inputs: Object.keys(metafile.inputs), missing };
}

it.each(['.', './memory'])('%s runs anywhere: it reaches no module of Node', async (entry) => {
  const { inputs, missing } = await reach(entry);
  expect(missing).toEqual([]);
  expect(inputs.filter((file) => /^src\/(node|postgres|sqlite)/.test(file))).toEqual([]);
});

it('./sqlite is what needs Node and the driver, and brings no store in memory along', async () => {
  const { inputs, missing } = await reach('./sqlite');
  expect(missing).toContain('node:worker_threads');
  expect(inputs.filter((file) => file.startsWith('src/memory'))).toEqual([]);
  // The driver is loaded by the thread, which is a program of its own.
  expect(missing).not.toContain('libsql');
});

it('./postgres needs its driver, and no other store', async () => {
  const { inputs, missing } = await reach('./postgres');
  expect(missing).toContain('pg');
  expect(inputs.filter((file) => /^src\/(memory|sqlite)/.test(file))).toEqual([]);
});
