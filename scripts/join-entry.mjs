import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { aliasExports, exportAll, isWantedLater, listEarly, pathBetween, readFrom } from './join-chunks.mjs';

/**
 * Puts what an entry point of a library loads into its own file, in the same way, so that whoever imports it opens one file.
 * Other entry points and what is loaded later find there what they share with it.
 */
export async function joinEntry(folder, outputs, entry) {
  const early = listEarly(outputs, entry, []);
  const wantedLater = early.filter((chunk) => isWantedLater(chunk, outputs, [entry, ...early]));
  const exported = new Map(wantedLater.map((chunk) => [chunk, aliasExports(chunk, outputs)]));
  const files = [entry, ...early].map((path) => join(folder, path));
  await build({
    absWorkingDir: folder,
    stdin: {
      contents: exportAll(entry, exported, outputs[entry].exports),
      resolveDir: folder,
      sourcefile: 'joined.js',
    },
    outfile: entry,
    allowOverwrite: true,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'neutral',
    target: 'node20.19',
    sourcemap: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [takeInOnly(files, dirname(join(folder, entry)))],
  });
  for (const chunk of early) for (const path of [chunk, `${chunk}.map`]) rmSync(join(folder, path));
  for (const [chunk, aliases] of exported)
    writeFileSync(join(folder, chunk), readFrom(pathBetween(dirname(chunk), entry), aliases));
  return Object.keys(outputs).filter((path) => !early.includes(path.replace(/\.map$/, '')) || exported.has(path));
}

/** Bundles these files; all else stays an import, as seen from the folder of the one that they become. */
function takeInOnly(files, place) {
  return {
    name: 'take-in-only',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path, resolveDir, kind }) => {
        const target = resolve(resolveDir, path);
        if (kind === 'import-statement' && files.includes(target)) return { path: target };
        return { path: path.startsWith('.') ? JSON.parse(pathBetween(place, target)) : path, external: true };
      });
    },
  };
}
