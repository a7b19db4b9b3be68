import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, isWorkspace, type Package, packageOf, packages, root } from './repository.ts';

/**
 * The layers, lowest first, as docs/architecture.md draws them. A package imports only from lower layers; packages of one
 * layer do not import each other. npm hoists workspace packages, so without this test an undeclared import would work.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['jsonrpc'],
  ['host'],
  ['protocol', 'transports'],
  ['dialects'],
  ['store'],
  ['session', 'policy'],
  ['agent', 'client', 'models', 'terminal'],
  ['coding-agent', 'adapters', 'gateway'],
  ['conformance', 'harness', 'web', 'chat'],
  ['cli'],
];

/** Only ever a devDependency: whatever layer it stands on, nothing that ships may import it. */
const TEST_ONLY = ['testing'];

/** Roles take a `Transport`; only entry points and the gateway join a role to a wire. */
const WITHOUT_TRANSPORTS = ['agent', 'client', 'policy', 'session', 'store', 'protocol', 'dialects'];

/** Platform-neutral, and therefore without this machine. */
const WITHOUT_HOST = ['protocol', 'dialects', 'policy', 'session', 'agent', 'client', 'store'];

/** These folders are of this machine, and so stand on what the rest of their packages may not import. */
const EXCEPTIONS = [
  { folder: 'packages/client/src/node/', mayImport: ['host', 'transports'] },
  { folder: 'packages/store/src/node/', mayImport: ['host'] },
  { folder: 'packages/store/src/sqlite/', mayImport: ['host'] },
];

const layerOf = (name: string): number => LAYERS.findIndex((layer) => layer.includes(name));
const shipped = packages.filter(({ name }) => !TEST_ONLY.includes(name));

describe('the layers', () => {
  it('hold every package', () => {
    expect(shipped.filter(({ name }) => layerOf(name) < 0).map(({ name }) => name)).toEqual([]);
  });

  it('are those that docs/architecture.md draws', () => {
    const drawn = /```layers\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/architecture.md'), 'utf8'))?.[1] ?? '';
    const lines = drawn.trim().split('\n').reverse();
    expect(lines.map((line) => [...line.matchAll(/\[([a-z-]+)\]/g)].map(([, name]) => name))).toEqual(LAYERS);
  });

  it.each(shipped)('let $name import only from below', ({ name, sources }) => {
    const wrong = sources
      .flatMap(importsOf)
      .filter(({ specifier }) => isWorkspace(specifier))
      .filter(({ file, specifier }) => !mayImport(name, file, packageOf(specifier)));
    expect(wrong).toEqual([]);
  });

  it.each(shipped)('have the dependencies of $name below it', ({ name, dependencies }: Package) => {
    const named = Object.keys(dependencies).filter(isWorkspace).map(packageOf);
    expect(named.filter((other) => layerOf(other) < 0 || layerOf(other) >= layerOf(name))).toEqual([]);
  });
});

function mayImport(importer: string, file: string, imported: string): boolean {
  if (imported === importer) return true;
  if (EXCEPTIONS.some((rule) => file.startsWith(rule.folder) && rule.mayImport.includes(imported))) return true;
  if (imported === 'transports' && WITHOUT_TRANSPORTS.includes(importer)) return false;
  if (imported === 'host' && WITHOUT_HOST.includes(importer)) return false;
  return layerOf(imported) >= 0 && layerOf(imported) < layerOf(importer);
}
