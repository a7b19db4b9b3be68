import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HarnessError } from '../errors.ts';

/** What is loaded before a grader in TypeScript: modules with a `register` each, for both kinds of modules. */
export type TypeScriptLoader = readonly string[];

/**
 * What reads a grader in TypeScript; undefined where none is needed. Node reads it by itself from 22.18 on; before, the loader `tsx` does, of the grader's project or of
 * the folder where the evaluation runs.
 */
export function findTypeScriptLoader(path: string, shown: string, cwd: string): TypeScriptLoader | undefined {
  const isReadByNode = Boolean((process.features as { readonly typescript?: unknown }).typescript);
  if (!/\.[mc]?ts$/.test(path) || isReadByNode) return undefined;
  for (const from of [path, join(cwd, 'package.json')]) {
    try {
      const { resolve } = createRequire(from);
      // A file in a package without "type": "module" is CommonJS, whatever is written in it.
      return [resolve('tsx/cjs/api'), resolve('tsx/esm/api')].map(
        // What is asked for by `require` is the twin of the module that we import.
        (file) => pathToFileURL(file.replace(/\.cjs$/, '.mjs')).href,
      );
    } catch {
      // Looked for in the next folder, told below.
    }
  }
  throw new HarnessError(
    'grader_unusable',
    `The grader ${shown} is TypeScript, which Node ${process.versions.node} does not read by itself: run "npm install --save-dev tsx" beside it or here, use Node 22.18 or newer, or write it as .mjs.`,
  );
}
