/** The dialects of ACP that we read and write: the five documents, and the schema itself. */
export const DIALECT_NAMES = ['harness', 'overview', 'go', 'elephant', 'pharo', 'canonical'] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];

export function isDialectName(value: string): value is DialectName {
  return (DIALECT_NAMES as readonly string[]).includes(value);
}
