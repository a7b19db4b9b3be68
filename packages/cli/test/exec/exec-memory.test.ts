import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltProgram, buildProgram } from '@parley/testing/build-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();
const LARGE_MB = 50;
const MAX_MEMORY_PER_ANSWER = 2;
let flood: BuiltProgram;

beforeAll(async () => {
  flood = await buildProgram(new URL('../support/flood-agent.ts', import.meta.url));
}, 60_000);
afterAll(() => flood.remove());

/** The peak memory of the command in megabytes. */
async function memoryOf(format: string, megabytes: number): Promise<number> {
  const report = join(parley.folder, 'memory');
  const hook = join(parley.folder, 'report-memory.cjs');
  // The agent and the threads load the hook too; only the command reports.
  writeFileSync(
    hook,
    `if (process.env.REPORTED === process.argv[1]) process.on('exit', () =>
       require('node:fs').writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS)));`,
  );
  const agent = `${process.execPath} ${flood.path}`;
  const args = [parley.program, 'exec', '--format', format, '--agent', agent, `send ${megabytes}`];
  // V8's young generation grows with the rate of allocation (up to 190 MB on Node 24) and says nothing about what the command keeps.
  const child = spawn(process.execPath, ['--max-semi-space-size=8', '--require', hook, ...args], {
    cwd: parley.folder,
    env: { ...parley.env, REPORTED: parley.program },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(bytes).toBeGreaterThanOrEqual(megabytes * 1_000_000);
  return Number(readFileSync(report, 'utf8')) / 1024;
}

describe('the memory of exec', () => {
  it.each(['text', 'quiet', 'json'])(
    `grows by no more than ${MAX_MEMORY_PER_ANSWER} bytes for each byte of a long answer as %s`,
    { timeout: 180_000 },
    async (format) => {
      const least = await memoryOf(format, 1);
      const most = await memoryOf(format, LARGE_MB);
      expect((most - least) / LARGE_MB).toBeLessThanOrEqual(MAX_MEMORY_PER_ANSWER);
    },
  );
});
