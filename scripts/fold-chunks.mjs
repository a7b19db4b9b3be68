import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

/**
 * Makes a package's main entry one file: the chunks it shares with the other entries move into it, and those entries
 * import them from there. Classes stay the same ones everywhere, and the entry that everybody loads loads no further file.
 */
export async function foldChunks({ main, outputs, options }) {
  const folded = chunksOf(main, outputs);
  if (folded.length === 0) return;
  const folder = join(options.absWorkingDir, dirname(main));
  const from = (file) => `./${relative(dirname(main), file)}`;
  await build({
    ...options,
    entryPoints: undefined,
    outdir: undefined,
    outbase: undefined,
    splitting: false,
    stdin: {
      contents: [main, ...folded].map((file) => `export * from '${from(file)}';`).join('\n'),
      resolveDir: folder,
    },
    outfile: main,
    allowOverwrite: true,
  });
  for (const [file, { imports }] of Object.entries(outputs)) {
    if (file === main || folded.includes(file) || !imports.some(({ path }) => folded.includes(path))) continue;
    const path = join(options.absWorkingDir, file);
    const code = readFileSync(path, 'utf8').replace(/(from ")([^"]*chunk-[^"]*)(")/g, (whole, before, chunk, after) =>
      folded.includes(join(dirname(file), chunk)) ? `${before}${relative(dirname(file), main)}${after}` : whole,
    );
    writeFileSync(path, code);
  }
  for (const chunk of folded) for (const end of ['', '.map']) rmSync(join(options.absWorkingDir, `${chunk}${end}`));
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
