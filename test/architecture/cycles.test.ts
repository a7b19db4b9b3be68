import { describe, expect, it } from 'vitest';
import { filesOfPackages, filesOfRoot, importsOf, resolveImport } from './repository.ts';

describe('import cycles', () => {
  it('are in no package, no test and no benchmark, types and later imports counted', () => {
    expect(findCycles([...filesOfPackages, ...filesOfRoot])).toEqual([]);
  });
});

/** The groups of files that import each other, directly or through others (Tarjan's strongly connected components). */
function findCycles(files: readonly string[]): string[][] {
  const cycles: string[][] = [];
  const order = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    stack.push(file);
    let lowest = own;
    for (const target of targetsOf(file)) {
      const seen = order.get(target);
      if (seen === undefined) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, seen);
    }
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1 || targetsOf(file).includes(file)) cycles.push(group.sort());
    }
    return lowest;
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return cycles;
}

function targetsOf(file: string): string[] {
  return importsOf(file)
    .map(resolveImport)
    .filter((target) => target !== undefined);
}
