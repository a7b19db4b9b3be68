import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ScaffoldName } from './check-name.ts';
import { findPackages, linkDependencies, type Manifest, type PackageSource } from './link-packages.ts';
import type { Scaffold } from './scaffolds.ts';

/** A file of a new project. */
export interface ScaffoldFile {
  /** Below the project's folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface ScaffoldFiles {
  readonly files: readonly ScaffoldFile[];
  /** Whether the project uses packages of a checkout. */
  readonly isLinked: boolean;
}

/** Tests, and what explains or surrounds the code. */
const MORE_THAN_MINIMAL =
  /(^|\/)(README\.md|gitignore|pyproject\.toml|echo-agent\.ts|test_\w+\.py|[\w-]+\.test\.ts|[\w-]+\.sample\.jsonl)$/;
/** Is added to the README of a project that uses packages of a checkout. */
const LINKED = 'LINKED.md';

/** The files of a new project, with its name in them. */
export async function readTemplates(
  scaffold: Scaffold,
  name: ScaffoldName,
  { folder, isMinimal = false }: { readonly folder: string; readonly isMinimal?: boolean },
): Promise<ScaffoldFiles> {
  const packageRoot = findPackageRoot();
  const source = findPackages(packageRoot);
  const folders = scaffold.folders.map((each) => join(packageRoot, 'templates', each));
  const found = (await Promise.all(folders.map(readFolder))).flat();
  const linked = found.find(({ path }) => path === LINKED)?.text ?? '';
  const isLinked = source.isCheckout && found.some(({ path }) => path === 'package.json');
  const values = await placesOf(scaffold, folder);
  const files = found
    .filter(({ path }) => path !== LINKED && !(isMinimal && MORE_THAN_MINIMAL.test(path)))
    .map(({ path, text }) => ({ path: rename(path, scaffold, name), text: rename(text, scaffold, name) }))
    .map(({ path, text }) => ({ path, text: /\.json$/.test(path) ? fillIn(text, values) : text }))
    .map(({ path, text }) => {
      if (path === 'package.json') return { path, text: completeManifest(text, { name, source, isMinimal }) };
      if (path === 'README.md' && isLinked) return { path, text: text + linked };
      return { path: path === 'gitignore' ? '.gitignore' : path, text };
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  return { files, isLinked };
}

function rename(text: string, { placeholder }: Scaffold, { base, module }: ScaffoldName): string {
  return text.replaceAll(placeholder, () => base).replaceAll(placeholder.replaceAll('-', '_'), () => module);
}

/** What stands in the templates for places: a description is used from anywhere, so it has whole paths. */
async function placesOf({ kind }: Scaffold, folder: string): Promise<Readonly<Record<string, string>>> {
  if (kind !== 'adapter') return {};
  const { schemaFile } = await import('@parley/adapters/ready');
  return { folder: folder.replaceAll('\\', '/'), schema: pathToFileURL(schemaFile()).href };
}

function fillIn(json: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`{{${name}}}`, () => JSON.stringify(value).slice(1, -1)),
    json,
  );
}

interface CompleteOptions {
  readonly name: ScaffoldName;
  readonly source: PackageSource;
  readonly isMinimal: boolean;
}

function completeManifest(text: string, { name, source, isMinimal }: CompleteOptions): string {
  const manifest = JSON.parse(text) as Manifest;
  manifest.name = name.full;
  if (manifest.dependencies) manifest.dependencies = linkDependencies(manifest.dependencies, source);
  // Without its tests, a project needs no package that only they use.
  const others = Object.entries(manifest.devDependencies ?? {}).filter(
    ([each]) => !isMinimal || each === '@parley/cli' || !each.startsWith('@parley/'),
  );
  manifest.devDependencies = linkDependencies(Object.fromEntries(others), source);
  if (isMinimal) delete manifest.scripts?.test;
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

async function readFolder(folder: string): Promise<readonly ScaffoldFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.pyc'))
    .map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path) => ({
      path: relative(folder, path).replaceAll('\\', '/'),
      text: await readFile(path, 'utf8'),
    })),
  );
}

/** The folder of this package: `templates` is beside `src` and `dist`. */
function findPackageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'templates', 'agent')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
