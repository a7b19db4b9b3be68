import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANES, type Lane } from '../lanes.ts';
import { filesOfPackages, filesOfRoot, importsOf, resolveImport, root } from './repository.ts';

const testFiles = [...filesOfPackages, ...filesOfRoot].filter((file) => file.endsWith('.test.ts'));

/** Helpers that start a browser or a database, and the lane that may use them. */
const HELPERS: Readonly<Record<string, string>> = {
  'playwright-core': 'browser',
  '@parley/testing/browser': 'browser',
  '@parley/testing/postgres': 'database',
};

describe('the lane of a test file', () => {
  it('is exactly one', () => {
    const counted = testFiles.map((file) => ({ file, lanes: lanesOf(file) }));
    expect(counted.filter(({ lanes }) => lanes.length !== 1)).toEqual([]);
    for (const { name } of LANES) expect([name, counted.some(({ lanes }) => lanes[0] === name)]).toEqual([name, true]);
  });

  it('is the one that may use the browser or the database, where the file imports one, also through its helpers', () => {
    const wrong = testFiles.flatMap((file) =>
      [...helpersOf(file)].filter((lane) => lanesOf(file)[0] !== lane).map((lane) => `${file} needs lane ${lane}`),
    );
    expect(wrong).toEqual([]);
  });

  it('is run by `npm test` or by `npm run test:slow`, and by only one of them', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const named = [scripts.test, scripts['test:slow']].flatMap((script: string) =>
      [...script.matchAll(/--project (\S+)/g)].map(([, name]) => name),
    );
    expect(named.sort()).toEqual(LANES.map(({ name }) => name).sort());
  });
});

describe('a test that is skipped', () => {
  it('gives its reason by needs(), which the summary prints', () => {
    const silent = [...filesOfPackages, ...filesOfRoot].filter((file) =>
      /\b(?:it|test|describe)\.(?:skipIf|runIf|skip|todo)\b/.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(silent).toEqual([]);
  });
});

function lanesOf(file: string): string[] {
  const isIn = ({ include, exclude }: Lane): boolean =>
    include.some((pattern) => matchesGlob(file, pattern)) && !exclude.some((pattern) => matchesGlob(file, pattern));
  return LANES.filter(isIn).map(({ name }) => name);
}

/** The lanes of the helpers that a file reaches through its own imports. */
function helpersOf(file: string): Set<string> {
  const seen = new Set([file]);
  const lanes = new Set<string>();
  for (const each of seen) {
    for (const found of importsOf(each)) {
      const lane = HELPERS[found.specifier];
      if (lane !== undefined) lanes.add(lane);
      const target = found.specifier.startsWith('.') ? resolveImport(found) : undefined;
      if (target !== undefined) seen.add(target);
    }
  }
  return lanes;
}
