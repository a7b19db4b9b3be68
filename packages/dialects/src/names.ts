/**
 * The dialects of ACP that we read and write: the five documents, and the schema itself.
 *
 * Comments in this folder cite a document by its place in this list and a line of it: `S2:188` is line 188 of the third,
 * `go`. The documents' examples, with their lines, are in `test/fixtures/`. Each difference has a number, `D1` to `D128`, and
 * a test of that name in `test/`.
 */
export const DIALECT_NAMES = ['harness', 'overview', 'go', 'elephant', 'pharo', 'canonical'] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];

export function isDialectName(value: string): value is DialectName {
  return (DIALECT_NAMES as readonly string[]).includes(value);
}
