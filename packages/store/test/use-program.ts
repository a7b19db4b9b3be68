import { type BuiltProgram, buildStoreProgram } from '@parley/testing/build-program';
import { afterAll, beforeAll } from 'vitest';

/** Builds a program of `test/programs` before the tests of a file and removes it after them; what it returns names the built file. */
export function useProgram(name: string): () => string {
  let program: BuiltProgram | undefined;
  beforeAll(async () => {
    program = await buildStoreProgram(new URL(`./programs/${name}.ts`, import.meta.url));
  });
  afterAll(() => program?.remove());
  return () => {
    if (!program) throw new Error(`${name} is built before the tests begin, and not earlier.`);
    return program.path;
  };
}
