import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesOfPackages, filesOfRoot, packages, resolveImport, root } from './repository.ts';

const code = [...filesOfPackages, ...filesOfRoot].map((file) => ({ file, text: read(file) }));
const documents = ['README.md', ...listDocuments('docs'), ...packages.map(({ folder }) => `${folder}/README.md`)]
  .map(read)
  .join('\n');

describe('the public face', () => {
  it.each(packages.filter(({ name }) => name !== 'testing'))(
    'of $name has only what other packages use or a document names',
    ({ name, folder, faces }) => {
      const others = code.filter(({ file }) => !file.startsWith(`${folder}/`));
      const imported = new Set(others.flatMap(({ text }) => namesImported(text, `@parley/${name}`)));
      const idle = [...faces].flatMap(([face, file]) =>
        valuesExported(file)
          .filter((value) => !isSelfEvident(value) && !imported.has(value) && !isDocumented(value))
          .map((value) => `${face}: ${value}`),
      );
      expect(idle).toEqual([]);
    },
  );
});

/** Errors are documented by their codes, and defaults beside the options whose they are. */
function isSelfEvident(name: string): boolean {
  return /Error$/.test(name) || name.startsWith('DEFAULT_');
}

function isDocumented(name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(documents);
}

/** The values that a file exports: types come along with the functions that take them. */
function valuesExported(file: string): string[] {
  const text = read(file);
  const lists = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list = '']) => namesIn(list, 'outer'));
  const own = [...text.matchAll(/^export (?:async )?(?:function\*?|class|const) (\w+)/gm)].map(([, name = '']) => name);
  const passedOn = [...text.matchAll(/^export \* from '([^']+)'/gm)].flatMap(([, specifier = '']) => {
    const target = resolveImport({ file, specifier });
    return target === undefined || !target.startsWith(dirname(file)) ? [] : valuesExported(target);
  });
  return [...lists, ...own, ...passedOn];
}

function namesImported(text: string, name: string): string[] {
  const from = `['"]${name}(?:/[\\w/-]+)?['"]`;
  const ahead = new RegExp(`\\{([^{}]*)\\}\\s*from\\s*${from}`, 'g');
  const later = new RegExp(`\\{([^{}]*)\\}\\s*=\\s*await import\\(\\s*${from}`, 'g');
  const then = new RegExp(`import\\(\\s*${from}\\s*\\)\\)?\\s*\\.(?:then\\(\\s*\\(\\{([^{}]*)\\}|(\\w+))`, 'g');
  return [ahead, later, then].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([, list = '', single = '']) => [...namesIn(list, 'inner'), single]),
  );
}

/** Of `inner as outer`, one or the other; types are left out. */
function namesIn(list: string, which: 'inner' | 'outer'): string[] {
  return list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && !each.startsWith('type '))
    .map((each) => (which === 'inner' ? /^\w+/ : /\w+$/).exec(each)?.[0] ?? '');
}

function listDocuments(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
