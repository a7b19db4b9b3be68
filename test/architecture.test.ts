import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * The layers, lowest first. A package imports only from lower layers; packages of one layer do not import each other,
 * except where `SIDEWAYS` names it. npm hoists workspace packages, so without this test an undeclared import would work.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['jsonrpc'],
  ['host'],
  ['protocol', 'transports'],
  ['dialects'],
  ['store'],
  ['session', 'policy'],
  ['agent', 'client'],
  ['coding-agent', 'adapters', 'gateway'],
  ['conformance', 'harness', 'web'],
  ['cli'],
];

/** Only ever a devDependency: whatever layer it stands on, nothing that ships may import it. */
const TEST_ONLY = ['testing'];

/** Roles take a `Transport`; only entry points and the gateway join a role to a wire. */
const NO_TRANSPORTS = ['agent', 'client', 'policy', 'session', 'store', 'protocol', 'dialects'];

/** These folders are of this machine and therefore stand on `host` and `transports/process`; the neutral rest of their packages may not. */
const NODE_SUBPATHS = [
  { package: 'client', folder: 'src/node', mayImport: ['host', 'transports'] },
  { package: 'store', folder: 'src/sqlite', mayImport: ['host'] },
];

/** Compiled without Node and DOM types, so that the compiler keeps platform code out. */
const NEUTRAL = ['jsonrpc', 'protocol', 'dialects', 'policy', 'session', 'agent'];

/** Neutral but for one folder, which nothing outside it imports: it has an entry point of its own. */
const NEUTRAL_BUT_FOR = [
  { name: 'client', folder: 'src/node' },
  { name: 'store', folder: 'src/sqlite' },
];

const root = fileURLToPath(new URL('..', import.meta.url));

interface Import {
  readonly file: string;
  readonly specifier: string;
}

interface Package {
  readonly name: string;
  readonly folder: string;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly sources: readonly Import[];
  readonly tests: readonly Import[];
}

const packages = readdirSync(join(root, 'packages'))
  .filter((name) => existsSync(join(root, 'packages', name, 'package.json')))
  .map(readPackage);
const layerOf = (name: string): number => LAYERS.findIndex((layer) => layer.includes(name));

describe('the architecture', () => {
  it('knows every package', () => {
    const unknown = packages.filter(({ name }) => layerOf(name) < 0 && !TEST_ONLY.includes(name));
    expect(unknown.map(({ name }) => name)).toEqual([]);
  });

  it.each(packages)('$name imports only packages of lower layers', ({ name, sources }) => {
    if (TEST_ONLY.includes(name)) return;
    const wrong = sources
      .filter(({ specifier }) => isWorkspace(specifier))
      .filter(({ file, specifier }) => !mayImport(name, file, packageOf(specifier)));
    expect(wrong).toEqual([]);
  });

  it.each(packages)('$name declares every package that it imports', ({ dependencies, sources, name }) => {
    const undeclared = sources.filter(({ specifier }) => {
      const imported = nameOf(specifier);
      return imported !== undefined && imported !== `@parley/${name}` && !(imported in dependencies);
    });
    expect(undeclared).toEqual([]);
  });

  it.each(packages)('$name pins exact versions', ({ dependencies, devDependencies }) => {
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) =>
      /[\^~*><]|latest/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it.each(packages)('$name reaches other packages only through their public faces', ({ sources, tests }) => {
    const deep = [...sources, ...tests].filter(
      ({ specifier }) => isWorkspace(specifier) && specifier.includes('/src/'),
    );
    expect(deep).toEqual([]);
  });

  it.each(packages)('$name keeps its relative imports inside its own folder', ({ folder, sources, tests }) => {
    const outside = [...sources, ...tests].filter(
      ({ file, specifier }) =>
        specifier.startsWith('.') && relative(folder, resolve(dirname(join(root, file)), specifier)).startsWith('..'),
    );
    expect(outside).toEqual([]);
  });

  it.each(packages.filter(({ name }) => NEUTRAL.includes(name)))('$name is platform-neutral', ({ name, sources }) => {
    const config = readFileSync(join(root, 'packages', name, 'tsconfig.json'), 'utf8');
    expect(config).toContain('tsconfig.neutral.json');
    expect(sources.filter(({ specifier }) => specifier.startsWith('node:'))).toEqual([]);
  });

  it.each(NEUTRAL_BUT_FOR)('$name is platform-neutral but for $folder', ({ name, folder }) => {
    const config = readFileSync(join(root, 'packages', name, 'tsconfig.neutral.json'), 'utf8');
    expect(config).toContain('../../tsconfig.neutral.json');
    expect(config).toContain(`"exclude": ["${folder}"`);
    const apart = join('packages', name, folder);
    const neutral = packages.find((each) => each.name === name)?.sources.filter(({ file }) => !file.startsWith(apart));
    const wrong = neutral?.filter(
      ({ file, specifier }) =>
        specifier.startsWith('node:') ||
        (specifier.startsWith('.') && join(dirname(file), specifier).startsWith(apart)),
    );
    expect(wrong).toEqual([]);
  });

  it('runs and bundles sources with sources alone, so that a clone need not be built', () => {
    const ofPackages = packages.flatMap(({ name }) =>
      ['src', 'test', 'bench'].map((each) => `packages/${name}/${each}`),
    );
    const places = [...ofPackages, 'test', 'examples', 'bench', 'scripts'].map((place) => join(root, place));
    const wrong = places.flatMap(listFiles).filter((file) => {
      const code = readFileSync(file, 'utf8');
      const runsSources = /'--import',\s*'tsx'|bundle: true/.test(code) && !code.includes("packages: 'external'");
      return runsSources && !/conditions=source|conditions: \['source'\]/.test(code);
    });
    expect(wrong.map((file) => relative(root, file))).toEqual([]);
  });
});

function mayImport(importer: string, file: string, imported: string): boolean {
  if (imported === importer) return true;
  if (
    NODE_SUBPATHS.some(
      (rule) =>
        rule.package === importer && rule.mayImport.includes(imported) && file.includes(`${importer}/${rule.folder}/`),
    )
  )
    return true;
  if (imported === 'transports' && NO_TRANSPORTS.includes(importer)) return false;
  if (imported === 'host' && [...NEUTRAL, 'client', 'store'].includes(importer)) return false;
  return layerOf(imported) >= 0 && layerOf(imported) < layerOf(importer);
}

function readPackage(name: string): Package {
  const folder = join(root, 'packages', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Partial<Package>;
  const imports = listFiles(join(folder, 'src')).flatMap(readImports);
  return {
    name,
    folder,
    dependencies: manifest.dependencies ?? {},
    devDependencies: manifest.devDependencies ?? {},
    sources: imports.filter(({ file }) => !isTest(file)),
    tests: imports.filter(({ file }) => isTest(file)),
  };
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mts|mjs|js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function readImports(path: string): Import[] {
  const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const found = text.matchAll(
    /^\s*(?:import|export)\s[^;'"]*?\bfrom\s+['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  );
  return [...found].map((match) => ({
    file: relative(root, path),
    specifier: match[1] ?? match[2] ?? match[3] ?? '',
  }));
}

function isTest(file: string): boolean {
  return /\.(test|test-d|bench)\.[mc]?tsx?$/.test(file) || /\/(fixtures|test-support)\//.test(file);
}

function isWorkspace(specifier: string): boolean {
  return specifier.startsWith('@parley/');
}

function packageOf(specifier: string): string {
  return specifier.split('/')[1] ?? '';
}

/** The npm name behind an import, or undefined for relative and built-in modules. */
function nameOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined;
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
