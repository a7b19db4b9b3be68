import { configDefaults, defineConfig } from 'vitest/config';
import { LANES } from './test/lanes.ts';
import { SkippedTests } from './test/skipped-tests.ts';

/** Lanes whose files share workers, and the modules that these have loaded; a file of another lane has a process of its own. */
const SHARED_WORKERS = ['unit', 'integration'];

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    globalSetup: './test/shared-programs.ts',
    reporters: ['default', new SkippedTests()],
    // Far more than any test needs, since other programs may keep the machine busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most tests wait for processes most of the time: two cores are busy with three workers.
    maxWorkers: 3,
    projects: LANES.map(({ name, include, exclude }) => ({
      extends: true,
      test: {
        name,
        include: [...include],
        exclude: [...configDefaults.exclude, ...exclude],
        ...(SHARED_WORKERS.includes(name)
          ? // A test whose assertions all stand behind a condition that never holds proves nothing.
            { isolate: false, setupFiles: './test/shared-worker.ts', expect: { requireAssertions: true } }
          : {}),
      },
    })),
  },
});
