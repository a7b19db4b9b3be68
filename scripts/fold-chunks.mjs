import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

/**
 * Makes one file of outputs that are loaded together: the first of `sources`, what the others became, and every chunk
 * that these load at once, save those that `except` loads too, which is not to load the rest. Other files import them from
 * there. So classes stay the same ones everywhere, what is only loaded when needed stays apart, and a start opens one file
 * where esbuild, which splits by who shares what, wrote dozens.
 */
export async function foldChunks({ sources, except = [], outputs, options }) {
  const seeds = sources.map((source) => outputOf(source, outputs));
  const [main] = seeds;
  const apart = chunksOf(
    except.map((source) => outputOf(source, outputs)),
    outputs,
  );
  const folded = chunksOf(seeds, outputs).filter((file) => file !== main && !apart.includes(file));
  if (folded.length === 0) return;
  const inPackage = (file) => join(options.absWorkingDir, file);
  const { metafile } = await build({
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
    metafile: true,
    plugins: [keepApart(main, folded, options.absWorkingDir)],
  });
  requireAllNames([main, ...folded], outputs, metafile.outputs[main].exports);
  for (const [file, output] of Object.entries(outputs)) {
    if (file === main || folded.includes(file) || !output.imports.some(({ path }) => folded.includes(path))) continue;
    const code = readFileSync(inPackage(file), 'utf8').replace(
      /(?<=(?:from |import |import\()")\.[^"]*(?=")/g,
      (path) => (folded.includes(join(dirname(file), path)) ? relativeTo(file, main) : path),
    );
    writeFileSync(inPackage(file), code);
    output.imports = output.imports.map((each) => (folded.includes(each.path) ? { ...each, path: main } : each));
  }
  outputs[main] = { ...outputs[main], imports: metafile.outputs[main].imports.map(asInPackage(main)) };
  for (const file of folded) {
    delete outputs[file];
    for (const end of ['', '.map']) rmSync(inPackage(`${file}${end}`));
  }
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

/** Two things of one name would both be missing from the new file, and only be missed when somebody runs it. */
function requireAllNames(files, outputs, exported) {
  const missing = files.flatMap((file) => outputs[file].exports).filter((name) => !exported.includes(name));
  if (missing.length > 0) throw new Error(`${files[0]} cannot take in two things called ${missing.join(', ')}`);
}

function outputOf(source, outputs) {
  const found = Object.keys(outputs).find((file) => outputs[file].entryPoint === source);
  if (!found) throw new Error(`${source} has no output of its own to fold`);
  return found;
}

/** The files themselves and the chunks that are loaded with them, directly or through one another. */
function chunksOf(files, outputs, found = new Set()) {
  for (const file of files) {
    if (found.has(file)) continue;
    found.add(file);
    const loaded = outputs[file].imports.filter(
      ({ path, kind }) => kind === 'import-statement' && isChunk(path, outputs),
    );
    chunksOf(
      loaded.map(({ path }) => path),
      outputs,
      found,
    );
  }
  return [...found];
}

/** An entry point, or what was folded before, stays what it is. */
function isChunk(file, outputs) {
  return file in outputs && outputs[file].entryPoint === undefined;
}

/** esbuild names what it left outside as the code does, relative to the file. */
function asInPackage(main) {
  return (each) => (each.path.startsWith('.') ? { ...each, path: join(dirname(main), each.path) } : each);
}

function relativeTo(importer, file) {
  const path = relative(dirname(importer), file);
  return path.startsWith('.') ? path : `./${path}`;
}
