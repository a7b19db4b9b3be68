import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ThreadData } from './thread-messages.ts';

let bundledSource: string | undefined;

/** Starts the store's thread: from the built program, or, where this package runs from source, from a bundle of it. */
export function startThread(workerData: ThreadData): Worker {
  // The loaders and flags of the process around it are not for this thread.
  const options = { workerData, execArgv: [] };
  if (import.meta.url.endsWith('.ts')) {
    bundledSource ??= bundleSource();
    return new Worker(bundledSource, { ...options, eval: true });
  }
  // By way of the parent folder, because built code lies in dist/chunks and not where its source does.
  return new Worker(new URL('../sqlite/store-thread.program.js', import.meta.url), options);
}

/** Once per process, with the esbuild that every checkout has: a TypeScript loader would cost each thread half a second. */
function bundleSource(): string {
  const program = new URL('./store-thread.program.ts', import.meta.url);
  const esbuild = createRequire(import.meta.url)('esbuild') as Bundler;
  const { outputFiles } = esbuild.buildSync({
    entryPoints: [fileURLToPath(program)],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    // Other packages from source as well: a checkout that was never built has nothing else.
    conditions: ['source'],
    external: ['libsql'],
    // A thread that is started from text would look for packages in the current directory.
    banner: { js: `require = require('node:module').createRequire(${JSON.stringify(program.href)});` },
  });
  return outputFiles.map(({ text }) => text).join('');
}

interface Bundler {
  buildSync(options: object): { readonly outputFiles: readonly { readonly text: string }[] };
}
