import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFakeNpm } from '../support/fake-npm.ts';
import { root } from '../support/repository-copy.ts';

/** A registry with three versions of Node, each of which reports its version and its arguments; 25 cannot be reached. */
const REGISTRY = `
const { mkdirSync, writeFileSync } = require('node:fs');
const [name, wanted] = args.find((word) => word.includes('@')).split('@');
const versions = ['24.9.0', '24.21.0', '20.19.6'].filter((version) => (version + '.').startsWith(wanted + '.'));
const refuse = (code, summary) => {
  console.log(JSON.stringify({ error: { code, summary } }));
  process.exit(1);
};
if (wanted.startsWith('25')) refuse('ENOTFOUND', 'getaddrinfo ENOTFOUND');
if (versions.length === 0) refuse('E404', 'No match found for version ' + wanted);
if (args[0] === 'view') console.log(JSON.stringify(versions.length === 1 ? versions[0] : versions));
if (args[0] === 'install') {
  const prefix = args.find((word) => word.startsWith('--prefix=')).slice('--prefix='.length);
  const bin = prefix + '/node_modules/' + name + '/bin';
  mkdirSync(bin, { recursive: true });
  writeFileSync(bin + '/node', '#!/bin/sh\\necho node ' + versions[0] + ' "$@"\\n', { mode: 0o755 });
  writeFileSync(bin + '/node.cmd', '@echo node ' + versions[0] + ' %*\\r\\n');
}
`;

let folder: string;
let npm: ReturnType<typeof createFakeNpm>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-on-node-'));
  npm = createFakeNpm(folder, REGISTRY);
});

afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

it('runs a command on the newest version of a major, and installs it once', () => {
  expect(onNode('24', 'node', 'script.js')).toMatchObject({ stdout: 'node 24.21.0 script.js\n', status: 0 });
  expect(onNode('24', 'node', 'script.js')).toMatchObject({ stdout: 'node 24.21.0 script.js\n', stderr: '' });
  expect(npm.calls().filter((call) => call.startsWith('install'))).toHaveLength(1);
});

it('takes a minor and an exact version, and an installed exact one without asking npm', () => {
  expect(onNode('20.19', 'node', '-v').stdout).toBe('node 20.19.6 -v\n');
  const calls = npm.calls().length;
  expect(onNode('20.19.6', 'node', '-v').stdout).toBe('node 20.19.6 -v\n');
  expect(npm.calls()).toHaveLength(calls);
});

it.each([
  ['23', /^Node 23 is not published for this machine/],
  ['25', /^Node 25 is not in .*, and npm cannot reach its registry: getaddrinfo ENOTFOUND\nCheck the network/],
  ['lts', /^"lts" is not a version of Node; use a major/],
])('explains why Node %s cannot be used', (version, message) => {
  expect(onNode(version, 'node', '-v')).toMatchObject({
    stdout: '',
    stderr: expect.stringMatching(message),
    status: 1,
  });
});

it('returns the exit code of the command', () => {
  expect(onNode('24', process.execPath, '-e', 'process.exit(7)').status).toBe(7);
});

function onNode(...args: string[]): { stdout: string; stderr: string; status: number | null } {
  const env = { ...process.env, PATH: npm.PATH, XDG_CACHE_HOME: join(folder, 'cache') };
  return spawnSync(process.execPath, [join(root, 'scripts', 'on-node.mjs'), ...args], { encoding: 'utf8', env });
}
