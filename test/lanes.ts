/** A lane of tests: a project of vitest that runs alone with `npm run test:lane -- <name>`. */
export interface Lane {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Lanes that need more time or more of the machine. The name of the file shows the lane: `visits.browser.test.ts`. */
export const NAMED_LANES = ['browser', 'database', 'faults', 'packaging', 'scaffold'] as const;

const NAMED_FILES = NAMED_LANES.map((lane) => `**/*.${lane}.test.ts`);

/** Every test file is in exactly one lane; `test/architecture/lanes.test.ts` checks this. */
export const LANES: readonly Lane[] = [
  { name: 'unit', include: ['packages/*/src/**/*.test.ts', 'test/architecture/*.test.ts'], exclude: NAMED_FILES },
  {
    name: 'integration',
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: ['test/architecture/**', ...NAMED_FILES],
  },
  ...NAMED_LANES.map((name) => ({
    name,
    include: ['packages/*/test', 'test', 'examples'].map((folder) => `${folder}/**/*.${name}.test.ts`),
    exclude: [],
  })),
];
