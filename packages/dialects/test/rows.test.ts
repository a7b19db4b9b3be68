import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const FOLDER = new URL('.', import.meta.url);
const ROWS = Array.from({ length: 128 }, (_, index) => `D${index + 1}`);

/** The rows that the titles of the tests name: `it('D42 …')`, or `'D22 pharo'` in a list of titles. */
function namedRows(): ReadonlySet<string> {
  const files = readdirSync(FOLDER).filter((name) => /^rows-.*\.test\.ts$/.test(name));
  const sources = files.map((name) => readFileSync(new URL(name, FOLDER), 'utf8'));
  return new Set(sources.flatMap((source) => [...source.matchAll(/[('[ ]'(D\d+) /g)].map(([, row]) => row ?? '')));
}

describe('the matrix of differences', () => {
  it('has a test for each of its 128 rows', () => {
    const named = namedRows();
    expect(ROWS.filter((row) => !named.has(row))).toEqual([]);
  });

  it('has no test for a row that does not exist', () => {
    expect([...namedRows()].filter((row) => !ROWS.includes(row))).toEqual([]);
  });
});
