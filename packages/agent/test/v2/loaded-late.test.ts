import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PACKAGES = fileURLToPath(new URL('../../..', import.meta.url));

/** What a file loads with itself; what it loads by `import()`, when it needs it, is not among it. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;]*?\sfrom\s+)?'([^']+)'/gm);
  return [...statements].flatMap(([, name = '']) => {
    if (name.startsWith('.')) return [join(dirname(file), name)];
    if (!name.startsWith('@parley/')) return [];
    const [, folder = '', ...rest] = name.split('/');
    const { exports } = JSON.parse(readFileSync(join(PACKAGES, folder, 'package.json'), 'utf8')) as {
      exports: Record<string, { source: string }>;
    };
    return [join(PACKAGES, folder, exports[rest.length === 0 ? '.' : `./${rest.join('/')}`]?.source ?? '')];
  });
}

/** All that is loaded when these files are. */
function loadedWith(...files: readonly string[]): string[] {
  const loaded = new Set<string>();
  const waiting = files.map((file) => join(PACKAGES, file));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file) || !existsSync(file)) continue;
    loaded.add(file);
    waiting.push(...importsOf(file));
  }
  return [...loaded].map((file) => relative(PACKAGES, file));
}

it('nothing of version 2 is loaded for a client of version 1', () => {
  const loaded = loadedWith('agent/src/index.ts', 'agent/src/peer/v1/serve.ts');
  expect(loaded.length).toBeGreaterThan(50);
  expect(loaded).toContain('session/src/v1/write-update.ts');
  expect(loaded.filter((file) => file.includes('/v2/'))).toEqual([]);
  const withV2 = loadedWith('agent/src/peer/v2/serve.ts').filter((file) => file.includes('/v2/'));
  expect(withV2).toContain('protocol/src/v2/validators.gen.ts');
});
