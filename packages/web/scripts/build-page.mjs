// Bundles the page with esbuild: an index.html, and files with a hash in their names. `npm run build` writes them into
// dist/page; a server that runs from source keeps them in memory.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** Resolves to the files by their paths (`index.html`, `assets/main-3F2A.js`), and to what each of them imports. */
export async function buildPage() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: { main: 'src/page/main.tsx', style: 'src/page/styles/main.css' },
    outdir: 'dist/page/assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source', 'browser'],
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [`assets/${nameOf(path)}`, contents]));
  const outputs = Object.entries(metafile.outputs);
  const entry = outputs.find(([, { entryPoint }]) => entryPoint === 'src/page/main.tsx')[0];
  const style = outputs.find(([, { entryPoint }]) => entryPoint === 'src/page/styles/main.css')[0];
  const initial = reachable(metafile, entry).map((path) => `assets/${nameOf(path)}`);
  const template = await readFile(join(folder, 'src/page/index.html'), 'utf8');
  const html = template
    .replace('{{style}}', `/assets/${nameOf(style)}`)
    .replace('{{script}}', `/${initial[0]}`)
    .replace(
      '{{preloads}}',
      initial
        .slice(1)
        .map((path) => `<link rel="modulepreload" href="/${path}">`)
        .join('\n    '),
    );
  files.set('index.html', new TextEncoder().encode(html));
  return { files, initial, metafile };
}

/** What is loaded at once with a file; the file itself first. */
function reachable({ outputs }, entry) {
  const found = new Set([entry]);
  for (const path of found)
    for (const { path: imported, kind } of outputs[path].imports) if (kind === 'import-statement') found.add(imported);
  return [...found];
}

function nameOf(path) {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
