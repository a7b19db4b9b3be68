import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'test/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    // Far more than any test needs, since other programs may keep the machine busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most tests wait for processes most of the time: two cores are busy with three workers.
    maxWorkers: 3,
  },
});
