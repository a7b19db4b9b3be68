// Bundles the page: an index.html, and files with a hash in their names. `npm run build` writes them into dist/page; a server that
// runs from source keeps them in memory. Scripts are bundled with rolldown, which leaves out more of what is not used and makes
// fewer files than esbuild: a tenth of what an open session loads.
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';

const folder = fileURLToPath(new URL('..', import.meta.url));
const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];

/** Resolves to the files by their paths (`index.html`, `assets/main-3F2A.js`), and to what each script is made of and imports. */
export async function buildPage() {
  const [scripts, style] = await Promise.all([bundleScripts(), bundleStyle()]);
  const files = new Map([[style.path, style.contents], ...scripts.map(({ path, contents }) => [path, contents])]);
  const initial = loadedWith(scripts, 'src/page/main.tsx');
  const template = await readFile(join(folder, 'src/page/index.html'), 'utf8');
  const html = template
    .replace('{{style}}', `/${style.path}`)
    .replace('{{script}}', `/${initial[0]}`)
    .replace(
      '{{preloads}}',
      initial
        .slice(1)
        .map((path) => `<link rel="modulepreload" href="/${path}">`)
        .join('\n    '),
    );
  files.set('index.html', new TextEncoder().encode(html));
  return { files, initial, scripts };
}

/** What is loaded at once with a source file that has a script of its own, the script itself first. */
export function loadedWith(scripts, source) {
  const found = new Set(scripts.flatMap((script) => (script.source === source ? [script.path] : [])));
  for (const path of found) for (const each of scripts.find((script) => script.path === path).imports) found.add(each);
  return [...found];
}

async function bundleScripts() {
  const bundle = await rolldown({
    cwd: folder,
    input: { main: 'src/page/main.tsx' },
    platform: 'browser',
    tsconfig: 'tsconfig.page.json',
    resolve: { conditionNames: ['source', 'browser', 'import', 'default'] },
    transform: { target: BROWSERS, define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    comments: { legal: false },
    entryFileNames: 'assets/[name]-[hash].js',
    chunkFileNames: 'assets/[name]-[hash].js',
    // Else what all scripts share would be in this one.
    codeSplitting: { groups: [{ name: 'highlighter', test: /highlight\.js/ }] },
  });
  await bundle.close();
  return output.map(({ fileName, code, imports, facadeModuleId }) => ({
    path: fileName,
    contents: new TextEncoder().encode(code),
    imports,
    source: facadeModuleId ? relative(folder, facadeModuleId).replaceAll('\\', '/') : undefined,
  }));
}

async function bundleStyle() {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: { style: 'src/page/styles/main.css' },
    outdir: 'dist/page/assets',
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    write: false,
    target: BROWSERS,
    legalComments: 'none',
    logLevel: 'warning',
  });
  const [{ path, contents }] = outputFiles;
  return { path: `assets/${path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)}`, contents };
}
