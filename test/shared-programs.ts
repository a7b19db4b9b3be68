import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

/**
 * Names the run, so that its test files build each program once (`packages/testing/src/build-program.ts`), and removes the programs after it.
 * In watch mode sources change during a run: then each file builds its own.
 */
export default function setup({ vitest }: TestProject): (() => void) | undefined {
  if (vitest.config.watch || process.env.PARLEY_TEST_RUN) return undefined;
  const run = `parley-test-run-${randomUUID()}`;
  process.env.PARLEY_TEST_RUN = run;
  const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
  return () => {
    for (const parent of [tmpdir(), cache]) rmSync(join(parent, run), { recursive: true, force: true });
  };
}
