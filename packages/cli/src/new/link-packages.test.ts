import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { VERSION } from '../version.ts';
import { findPackages, linkDependencies } from './link-packages.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'parley-packages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WANTED = { '@parley/agent': '0.0.0', typescript: '^7.0.2' };

describe('the packages of a new project', () => {
  it('have versions when the command is installed: its own for those of Parley', () => {
    const installed = join(folder, 'node_modules', '@parley', 'cli');
    expect(linkDependencies(WANTED, findPackages(installed))).toEqual({
      '@parley/agent': `^${VERSION}`,
      typescript: '^7.0.2',
    });
  });

  it('are folders of the checkout when the command runs from one, as far as they are there', () => {
    mkdirSync(join(folder, 'packages', 'agent', 'src'), { recursive: true });
    writeFileSync(join(folder, 'packages', 'agent', 'package.json'), '{}');
    expect(linkDependencies(WANTED, findPackages(join(folder, 'packages', 'cli')))).toEqual({
      '@parley/agent': `file:${join(folder, 'packages', 'agent').replaceAll('\\', '/')}`,
      typescript: '^7.0.2',
    });
  });

  it('have in the templates the versions that this repository uses', () => {
    const { devDependencies } = readManifest(root);
    const templates = join(root, 'packages', 'cli', 'templates');
    const manifests = readdirSync(templates, { recursive: true, withFileTypes: true })
      .filter(({ name }) => name === 'package.json')
      .map(({ parentPath }) => readManifest(parentPath));
    expect(manifests.length).toBeGreaterThan(0);
    for (const manifest of manifests) {
      for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
        expect([name, version]).toEqual([name, name.startsWith('@parley/') ? VERSION : `^${devDependencies[name]}`]);
      }
    }
  });
});

function readManifest(place: string): Record<'dependencies' | 'devDependencies', Record<string, string>> {
  return JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
}
