import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Prints a line for each reason why tests were skipped: `3 tests skipped: no chromium found (apt-get install chromium)`. */
export class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = summarize(modules.flatMap((each) => [...each.children.allTests('skipped')]));
    if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
  }
}

/** Tests that the caller filtered out (`-t`, `.only`) have no reason and are left out, as vitest counts them itself. */
export function summarize(tests: readonly Pick<TestCase, 'meta'>[]): string[] {
  const counts = new Map<string, number>();
  for (const test of tests) {
    const { skipReason } = test.meta();
    if (skipReason !== undefined) counts.set(skipReason, (counts.get(skipReason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${count} ${count === 1 ? 'test' : 'tests'} skipped: ${reason}`);
}
