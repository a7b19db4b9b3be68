import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyRepository, runInCopy } from './support/repository-copy.ts';

/** What `parley new` makes from a clone that is built, as somebody does who has just cloned it. npm has no network and an empty cache. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'parley-new-')));
const clone = join(folder, 'parley');

beforeAll(async () => {
  copyRepository(clone);
  await runInCopy(clone, 'node', ['scripts/build.mjs']);
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

describe('a new project in TypeScript', () => {
  it.each([
    { kind: 'agent', checks: true },
    { kind: 'client', checks: true },
    { kind: 'grader', checks: false },
  ])(
    'for the $kind installs from a clone without a network, and passes its test and every check',
    async ({ kind, checks }) => {
      const name = `new-${kind}`;
      await inFolder('.', process.execPath, [join(clone, 'packages', 'cli', 'bin', 'parley.cjs'), 'new', kind, name]);
      await inFolder(name, 'npm', ['install', '--offline', '--no-audit', '--no-fund']);
      expect(await inFolder(name, 'npm', ['test'])).toMatch(/^(#|ℹ) fail 0$/m);
      if (checks) expect(await inFolder(name, 'npm', ['run', 'check'])).toMatch(/MUST (\d+)\/\1 ✓/);
    },
    300_000,
  );

  it('runs from what --minimal writes', async () => {
    const parley = join(clone, 'packages', 'cli', 'bin', 'parley.cjs');
    await inFolder('.', process.execPath, [parley, 'new', 'agent', 'small', '--minimal']);
    await inFolder('small', 'npm', ['install', '--offline', '--no-audit', '--no-fund']);
    const agent = `node ${join(folder, 'small', 'dist', 'main.js')}`;
    const answer = await inFolder('small', 'npx', [
      '--offline',
      'parley',
      'exec',
      '--format',
      'quiet',
      '--agent',
      agent,
      'hello',
    ]);
    expect(answer).toBe('You said: hello\n');
  }, 300_000);
});

/** What a command prints; a failure tells all that it said. */
async function inFolder(place: string, command: string, args: readonly string[]): Promise<string> {
  const { PATH = '', SystemRoot = '' } = process.env;
  const places = { HOME: folder, USERPROFILE: folder, XDG_STATE_HOME: join(folder, 'state') };
  const npm = { npm_config_cache: join(folder, 'npm-cache'), npm_config_update_notifier: 'false', CI: 'true' };
  try {
    const { stdout } = await promisify(execFile)(command, [...args], {
      cwd: join(folder, place),
      env: { PATH, SystemRoot, ...places, ...npm },
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
    });
    return stdout;
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout: string; stderr: string };
    throw new Error(`${message}\n${stdout}\n${stderr}`);
  }
}
