import { describe, expect, it } from 'vitest';
import { importsOf, type Package, packages, resolveImport } from './repository.ts';

/**
 * A room is a folder directly in `src`, or a file there. Rooms of one package import each other in one direction only: contracts
 * and vocabulary stand in the lower room, the higher room implements them. So a file in `src` is either vocabulary that folders
 * import (`errors.ts`, `limits.ts`), or an entry point that imports folders (`index.ts`), but never both for the same folder.
 */
describe('the rooms', () => {
  it.each(packages)('of $name import each other in one direction only', (each) => {
    expect(findPairs(each)).toEqual([]);
  });
});

/** The rooms of a package that import each other in both directions, types and later imports counted. */
function findPairs({ folder, sources }: Package): string[] {
  const roomOf = (file: string): string => file.slice(`${folder}/src/`.length).split('/')[0] ?? '';
  const ways = new Set(
    sources.flatMap((file) =>
      importsOf(file)
        .map(resolveImport)
        .filter((target) => target?.startsWith(`${folder}/src/`))
        .map((target) => `${roomOf(file)} > ${roomOf(target ?? '')}`),
    ),
  );
  return [...ways]
    .map((way) => way.split(' > '))
    .filter(([from = '', to = '']) => from < to && ways.has(`${to} > ${from}`))
    .map(([from, to]) => `${from} <> ${to}`)
    .sort();
}
