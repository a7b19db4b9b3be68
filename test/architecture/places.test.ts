import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, packages, resolveImport, root } from './repository.ts';

/** Where a stranger looks for a test: beside its unit, or in `test/` when it needs more than one file or a process. */
describe('the place of a test', () => {
  it.each(packages)('in $name is beside the file or the folder that it is named after', ({ tests }) => {
    const beside = tests.filter((file) => /^packages\/[^/]+\/src\//.test(file));
    expect(beside.filter((file) => !hasUnit(file))).toEqual([]);
  });

  it.each(packages)('of $name and of its helpers is not a folder of src', ({ folder }) => {
    const folders = readdirSync(join(root, folder, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(folders.filter((path) => /^(test|tests|test-support|fixtures|mocks)$/.test(basename(path)))).toEqual([]);
  });

  it.each(packages)('of $name has whatever only tests import', ({ folder, faces, sources }) => {
    const begun = sources.filter((file) => /\.program\.ts$|\/main\.tsx?$/.test(file) || isNamedByBuild(file, folder));
    const used = new Set([...faces.values(), ...begun]);
    for (const file of used) {
      for (const target of importsOf(file).map(resolveImport)) if (target?.startsWith(`${folder}/`)) used.add(target);
    }
    // A declaration file is not imported: it tells the compiler about packages of others.
    expect(sources.filter((file) => !used.has(file) && !file.endsWith('.d.ts'))).toEqual([]);
  });
});

/** The build puts it before a program: `'src/start/load-script.ts'`. */
function isNamedByBuild(file: string, folder: string): boolean {
  return readFileSync(join(root, 'scripts/build.mjs'), 'utf8').includes(`'${file.slice(folder.length + 1)}'`);
}

/** `turn.test.ts` is beside `turn.ts`, beside the folder `turn/`, or in it. */
function hasUnit(file: string): boolean {
  const unit = basename(file).replace(/\.(test|test-d)\.tsx?$/, '');
  const folder = join(root, dirname(file));
  return basename(folder) === unit || ['.ts', '.tsx', ''].some((end) => existsSync(join(folder, unit + end)));
}
