import { Worker } from 'node:worker_threads';
import type { ThreadData } from './thread-messages.ts';

/**
 * Starts the store's thread. Built, it is plain JavaScript. Run from source on a Node that does not know TypeScript,
 * the thread first registers tsx, which whoever runs from source has.
 */
export function startThread(workerData: ThreadData): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  // By way of the parent folder, because built code lies in dist/chunks and not where its source does.
  const program = new URL(`../sqlite/store-thread.program.${isSource ? 'ts' : 'js'}`, import.meta.url);
  // The loaders and flags of the process around it are not for this thread.
  const options = { workerData, execArgv: [] };
  if (!isSource || ('typescript' in process.features && process.features.typescript)) {
    return new Worker(program, options);
  }
  const [tsx, source] = [import.meta.resolve('tsx/esm/api'), program.href].map((url) => JSON.stringify(url));
  const start = `import(${tsx}).then(({ register }) => { register(); return import(${source}); })`;
  return new Worker(start, { ...options, eval: true });
}
