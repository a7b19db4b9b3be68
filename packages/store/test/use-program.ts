import { afterAll, beforeAll } from 'vitest';
import { type BuiltProgram, buildProgram } from './build-program.ts';

/** Builds a program before the tests of a file and removes it after them; what it returns names the built file. */
export function useProgram(name: string): () => string {
  let program: BuiltProgram | undefined;
  beforeAll(async () => {
    program = await buildProgram(name);
  });
  afterAll(() => program?.remove());
  return () => {
    if (!program) throw new Error(`${name} is built before the tests begin, and not earlier.`);
    return program.file;
  };
}
