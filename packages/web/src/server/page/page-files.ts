import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The files of the page by their paths: `index.html`, `assets/main-3F2A.js`. */
export type PageFiles = ReadonlyMap<string, Uint8Array>;

/** Reads the page as it was built into `dist/page`. From source it is built now, into memory, so that it is what the source says. */
export async function loadPage(): Promise<PageFiles> {
  const folder = packageFolder(dirname(fileURLToPath(import.meta.url)));
  if (import.meta.url.endsWith('.ts')) return buildFromSource(folder);
  const built = join(folder, 'dist', 'page');
  const names = await readdir(join(built, 'assets'));
  const paths = ['index.html', ...names.map((name) => `assets/${name}`)];
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(join(built, path))] as const)));
}

async function buildFromSource(folder: string): Promise<PageFiles> {
  const script = pathToFileURL(join(folder, 'scripts', 'build-page.mjs')).href;
  const { buildPage } = (await import(script)) as typeof import('../../../scripts/build-page.mjs');
  return (await buildPage()).files;
}

/** This package's folder, also for a program that has this code inside: it lies beside, or in `node_modules`. */
function packageFolder(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    for (const place of [folder, join(folder, 'node_modules', '@parley', 'web')]) if (isPackage(place)) return place;
    if (folder === dirname(folder)) throw new Error('The files of @parley/web are not installed.');
  }
}

function isPackage(folder: string): boolean {
  const manifest = join(folder, 'package.json');
  return (
    existsSync(manifest) && (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string }).name === '@parley/web'
  );
}
