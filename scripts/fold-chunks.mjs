import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

/**
 * Makes a package's main entry one file: the chunks it shares with other files move into it, and those import them from
 * there. Classes stay the same ones everywhere, and the entry that everybody loads loads no further file at its start.
 */
export async function foldChunks({ main, outputs, options }) {
  const folded = chunksOf(main, outputs);
  if (folded.length === 0) return;
  const inPackage = (file) => join(options.absWorkingDir, file);
  await build({
    ...options,
    entryPoints: undefined,
    outdir: undefined,
    outbase: undefined,
    splitting: false,
    stdin: {
      contents: [main, ...folded].map((file) => `export * from '${relativeTo(main, file)}';`).join('\n'),
      resolveDir: inPackage(dirname(main)),
    },
    outfile: main,
    allowOverwrite: true,
    plugins: [keepApart(main, folded, options.absWorkingDir)],
  });
  for (const [file, { imports }] of Object.entries(outputs)) {
    if (file === main || folded.includes(file) || !imports.some(({ path }) => folded.includes(path))) continue;
    const code = readFileSync(inPackage(file), 'utf8').replace(/(?<=from ")[^"]*chunk-[^"]*(?=")/g, (chunk) =>
      folded.includes(join(dirname(file), chunk)) ? relativeTo(file, main) : chunk,
    );
    writeFileSync(inPackage(file), code);
  }
  for (const chunk of folded) for (const end of ['', '.map']) rmSync(inPackage(`${chunk}${end}`));
}

/** Leaves what is only loaded when needed in files of its own. */
function keepApart(main, folded, folder) {
  return {
    name: 'keep-apart',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        const file = relative(folder, join(resolveDir, path));
        if (file === main || folded.includes(file)) return undefined;
        return { path: relativeTo(main, file), external: true };
      });
    },
  };
}

/** The chunks that are loaded with `file`, directly or through one another. */
function chunksOf(file, outputs, found = new Set()) {
  for (const { path, kind } of outputs[file].imports) {
    if (kind !== 'import-statement' || !(path in outputs) || found.has(path)) continue;
    found.add(path);
    chunksOf(path, outputs, found);
  }
  return [...found];
}

function relativeTo(importer, file) {
  const path = relative(dirname(importer), file);
  return path.startsWith('.') ? path : `./${path}`;
}
