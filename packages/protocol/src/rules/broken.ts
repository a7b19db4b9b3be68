import type { Problem } from '../validation/problem.ts';

export type Path = readonly (string | number)[];

/** A rule of the specification that the schema does not express is broken. */
export function broken(path: Path, expected: string, received: string): Problem {
  return { path, expected, received, kind: 'rule' };
}
