import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, packages, resolveImport, root } from './repository.ts';

/** Compiled without Node and DOM types, so that the compiler keeps platform code out: a whole package, or all of it but some folders. */
const NEUTRAL: readonly { readonly name: string; readonly butFor?: readonly string[] }[] = [
  { name: 'jsonrpc' },
  { name: 'protocol' },
  { name: 'dialects' },
  { name: 'policy' },
  { name: 'session' },
  { name: 'agent' },
  { name: 'client', butFor: ['src/node'] },
  { name: 'store', butFor: ['src/node', 'src/postgres', 'src/sqlite'] },
  {
    name: 'transports',
    butFor: [
      'src/listen',
      'src/process',
      'src/stdio',
      'src/stream',
      'src/network/node',
      'src/websocket/node',
      'src/http/node',
      'src/sse/node',
    ],
  },
];

describe.each(NEUTRAL)('$name', ({ name, butFor = [] }) => {
  const files = (packages.find((each) => each.name === name)?.sources ?? []).filter(
    (file) => !butFor.some((folder) => file.startsWith(`packages/${name}/${folder}/`)),
  );

  it('is compiled as platform-neutral', () => {
    const config = butFor.length > 0 ? 'tsconfig.neutral.json' : 'tsconfig.json';
    expect(readFileSync(join(root, 'packages', name, config), 'utf8')).toContain('"../../tsconfig.neutral.json"');
  });

  it('reaches no code of Node, whatever its imports import', () => {
    expect(files.length).toBeGreaterThan(0);
    expect(waysToNode(files)).toEqual([]);
  });
});

/** The first way to each module of Node, as the chain of files that leads there; `import type` and `import()` count. */
function waysToNode(starts: readonly string[]): string[] {
  const cameFrom = new Map<string, string | undefined>(starts.map((file) => [file, undefined]));
  const ways: string[] = [];
  for (const file of cameFrom.keys()) {
    for (const each of importsOf(file)) {
      const target = resolveImport(each);
      if (target !== undefined && !cameFrom.has(target)) cameFrom.set(target, file);
      if (target === undefined && isOfNode(each.specifier))
        ways.push([...chainTo(file, cameFrom), each.specifier].join(' > '));
    }
  }
  return ways;
}

function chainTo(file: string, cameFrom: ReadonlyMap<string, string | undefined>): string[] {
  const before = cameFrom.get(file);
  return before === undefined ? [file] : [...chainTo(before, cameFrom), file];
}

function isOfNode(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}
