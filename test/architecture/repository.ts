import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository as data: its packages, their files, and what each file imports. Paths are relative to the root, with `/`. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url));

export interface Import {
  readonly file: string;
  readonly specifier: string;
}

export interface Package {
  readonly name: string;
  /** `packages/<name>` */
  readonly folder: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  /** Source file by the specifier that imports it: `@parley/store/memory`; where browsers get another, that too. */
  readonly faces: ReadonlyMap<string, string>;
  /** What ships: `src` without its tests. */
  readonly sources: readonly string[];
  /** What does not ship: tests beside the sources, `test/` and `bench/`. */
  readonly tests: readonly string[];
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  /** A text names a file that is no module, such as a schema. */
  readonly exports?: Readonly<
    Record<string, string | { readonly source?: string; readonly browser?: { readonly source: string } }>
  >;
}

export const packages: readonly Package[] = readdirSync(join(root, 'packages'))
  .filter((name) => existsSync(join(root, 'packages', name, 'package.json')))
  .map(readPackage);

/** Tests, benchmarks, examples and scripts of the repository as a whole. */
export const filesOfRoot: readonly string[] = ['test', 'bench', 'examples', 'scripts'].flatMap(listFiles);

export const filesOfPackages: readonly string[] = packages.flatMap(({ sources, tests }) => [...sources, ...tests]);

const importsByFile = new Map([...filesOfPackages, ...filesOfRoot].map((file) => [file, readImports(file)]));

/** Every import of a file, `import type` and `import()` included. */
export function importsOf(file: string): readonly Import[] {
  return importsByFile.get(file) ?? [];
}

/** The file behind an import, or undefined when it is a module of Node, of npm, or no file of ours. */
export function resolveImport({ file, specifier }: Import): string | undefined {
  if (isWorkspace(specifier)) return packages.find(({ name }) => name === packageOf(specifier))?.faces.get(specifier);
  if (!specifier.startsWith('.')) return undefined;
  const target = toPath(resolve(root, dirname(file), specifier));
  return [target, target.replace(/\.js$/, '.ts')].find((path) => importsByFile.has(path));
}

export function isWorkspace(specifier: string): boolean {
  return specifier.startsWith('@parley/');
}

export function packageOf(specifier: string): string {
  return specifier.split('/')[1] ?? '';
}

/** The npm name behind an import, or undefined for relative and built-in modules. */
export function nameOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined;
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

export function isTest(file: string): boolean {
  return /\.(test|test-d)\.[mc]?tsx?$/.test(file);
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

function readPackage(name: string): Package {
  const folder = `packages/${name}`;
  const { dependencies = {}, devDependencies = {}, peerDependencies = {}, exports = {} } = readManifest(folder);
  const faces = Object.entries(exports).flatMap(([entry, target]): [string, string][] => {
    if (typeof target === 'string') return [];
    const { source = '', browser } = target;
    const specifier = `@parley/${name}${entry.slice(1)}`;
    const face: [string, string] = [specifier, `${folder}${source.slice(1)}`];
    return browser ? [face, [`${specifier} in browsers`, `${folder}${browser.source.slice(1)}`]] : [face];
  });
  const inSources = listFiles(`${folder}/src`);
  return {
    name,
    folder,
    dependencies,
    devDependencies,
    peerDependencies,
    faces: new Map(faces),
    sources: inSources.filter((file) => !isTest(file)),
    tests: [...inSources.filter(isTest), ...listFiles(`${folder}/test`), ...listFiles(`${folder}/bench`)],
  };
}

function listFiles(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[mc]?[tj]sx?$/.test(entry.name))
    .map((entry) => toPath(join(entry.parentPath, entry.name)));
}

/** Comments are left out; those at the end of a line cannot look like an import. */
function readImports(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8').replace(/^\s*(\/\*[\s\S]*?\*\/|\/\/.*)/gm, '');
  const found = text.matchAll(
    /^\s*(?:import|export)\s[^;'"]*?\bfrom\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  );
  return [...found].map((match) => ({ file, specifier: match[1] ?? match[2] ?? match[3] ?? '' }));
}

function toPath(path: string): string {
  return relative(root, path).replaceAll('\\', '/');
}
