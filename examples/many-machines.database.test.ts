import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs } from '@parley/testing/needs';
import { POSTGRES } from '@parley/testing/postgres';
import { expect, it } from 'vitest';

it('many-machines.ts goes on at the other gateway when one is killed', {
  ...needs(POSTGRES),
  timeout: 120_000,
}, async () => {
  const program = fileURLToPath(new URL('many-machines.ts', import.meta.url));
  const words = ['--import', 'tsx', '--conditions=source', program];
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 100_000 });
  expect(stdout).toMatch(
    /counts: 1 2 3 4 5[\s\S]*is killed[\s\S]*ended before the turn did[\s\S]*other gateway: 1 2 3 4 5/,
  );
  expect(stdout).toContain('3 turns');
});
