import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  filesOfPackages,
  filesOfRoot,
  type Import,
  importsOf,
  isWorkspace,
  nameOf,
  packages,
  readManifest,
  resolveImport,
  root,
} from './repository.ts';

/** Tools of the repository as a whole, which every test and benchmark may use. */
const shared = readManifest('.').devDependencies ?? {};

describe('imports', () => {
  it.each(packages)('of $name are declared', ({ name, devDependencies, sources, ...each }) => {
    const dependencies = { ...each.dependencies, ...each.peerDependencies };
    const bundled = sources.filter(isBundled);
    const loaded = sources.filter((file) => !isBundled(file));
    expect(loaded.flatMap(importsOf).filter(isUndeclared(name, dependencies))).toEqual([]);
    expect(bundled.flatMap(importsOf).filter(isUndeclared(name, { ...dependencies, ...devDependencies }))).toEqual([]);
  });

  it.each(packages)('of the tests and benchmarks of $name are declared', (each) => {
    const declared = { ...each.dependencies, ...each.devDependencies, ...shared };
    expect(each.tests.flatMap(importsOf).filter(isUndeclared(each.name, declared))).toEqual([]);
  });

  it.each(packages)('of $name are of exact versions', ({ dependencies, devDependencies }) => {
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) =>
      /[\^~*><]|latest/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it.each(packages)('of $name, its tests and benchmarks reach other packages only by their public faces', (each) => {
    const imports = [...each.sources, ...each.tests].flatMap(importsOf);
    const deep = imports.filter((one) => isWorkspace(one.specifier) && resolveImport(one) === undefined);
    expect(deep).toEqual([]);
  });

  it.each(packages)('of $name, its tests and benchmarks stay inside its folder when they are relative', (each) => {
    const imports = [...each.sources, ...each.tests].flatMap(importsOf);
    expect(imports.filter((one) => isOutside(each.folder, one))).toEqual([]);
  });

  it('find the file that they name', () => {
    const relatives = filesOfPackages.flatMap(importsOf).filter(({ specifier }) => /^\..*\.tsx?$/.test(specifier));
    expect(relatives.filter((one) => resolveImport(one) === undefined)).toEqual([]);
  });

  it('run and bundle sources with sources alone, so that a clone need not be built', () => {
    const wrong = [...filesOfPackages, ...filesOfRoot].filter((file) => {
      const code = readFileSync(join(root, file), 'utf8');
      const runsSources = /'--import',\s*'tsx'|bundle: true/.test(code) && !code.includes("packages: 'external'");
      return runsSources && !/conditions=source|conditions: \['source'\]/.test(code);
    });
    expect(wrong).toEqual([]);
  });
});

/** The page is shipped as a bundle that has its packages inside: whoever installs it needs none of them. */
function isBundled(file: string): boolean {
  return file.startsWith('packages/web/src/page/');
}

function isUndeclared(importer: string, declared: Readonly<Record<string, string>>): (one: Import) => boolean {
  return ({ specifier }) => {
    const imported = nameOf(specifier);
    return imported !== undefined && imported !== `@parley/${importer}` && !(imported in declared);
  };
}

function isOutside(folder: string, { file, specifier }: Import): boolean {
  return specifier.startsWith('.') && relative(folder, join(dirname(file), specifier)).startsWith('..');
}
