import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFakeNpm } from '../support/fake-npm.ts';
import { root } from '../support/repository-copy.ts';

const LOCKED = {
  '': { name: 'project', version: '1.0.0' },
  'node_modules/one': { version: '1.0.0', integrity: 'sha512-one' },
  'node_modules/for-another-system': { version: '1.0.0', integrity: 'sha512-other', optional: true },
};
const { '': _root, 'node_modules/for-another-system': _other, ...INSTALLED } = LOCKED;

let folder: string;
let npm: ReturnType<typeof createFakeNpm>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-ready-'));
  cpSync(join(root, 'scripts', 'ready.mjs'), join(folder, 'scripts', 'ready.mjs'));
  mkdirSync(join(folder, 'node_modules'));
  lock('package-lock.json', LOCKED);
  npm = createFakeNpm(
    folder,
    `require('node:fs').writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(JSON.stringify({ packages: INSTALLED }))});`,
  );
});

afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

it('installs the dependencies once, and then runs the command', () => {
  expect(runReady()).toBe('it runs');
  expect(npm.calls()).toEqual([expect.stringMatching(/^ci .*--include=dev/)]);
  expect(runReady()).toBe('it runs');
  expect(npm.calls()).toHaveLength(1);
});

it('installs nothing after an installation by npm itself', () => {
  lock('node_modules/.package-lock.json', INSTALLED);
  expect(runReady()).toBe('it runs');
  expect(npm.calls()).toEqual([]);
});

it.each([
  ['another version', { 'node_modules/one': { version: '0.9.0', integrity: 'sha512-old' } }],
  ['a package too few', {}],
  ['a package too many', { ...INSTALLED, 'node_modules/one/node_modules/left': { version: '1.0.0' } }],
])('installs the dependencies where node_modules holds %s', (_what, packages) => {
  lock('node_modules/.package-lock.json', packages);
  expect(runReady()).toBe('it runs');
  expect(npm.calls()).toHaveLength(1);
});

function lock(path: string, packages: object): void {
  writeFileSync(join(folder, path), JSON.stringify({ packages }));
}

function runReady(): string {
  const args = [join(folder, 'scripts', 'ready.mjs'), 'node', '-p', '"it runs"'];
  return spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, PATH: npm.PATH },
  }).stdout.trim();
}
