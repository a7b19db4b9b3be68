import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { findCodeCache } from './code-cache.ts';

/**
 * Runs a program that was built as a script (`scripts/join-chunks.mjs`), and returns what it exports. V8 spends half of a
 * short command on compiling it, which Node 20 can only spare it for scripts: what was compiled by the first run that
 * succeeds is kept for the next ones. `load` imports what the program loads later, as seen from its folder.
 */
export function loadScript(
  path: string,
  load: (specifier: string) => Promise<unknown>,
): Readonly<Record<string, unknown>> {
  const cache = findCodeCache(path);
  const cachedData = cache?.read();
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    ...(cachedData && { cachedData }),
  });
  // At the end, when it is known which functions a run needs.
  if (cache && (cachedData === undefined || script.cachedDataRejected)) {
    process.once('exit', (exitCode) => {
      if (exitCode === 0) cache.write(() => script.createCachedData());
    });
  }
  const module = { exports: {} };
  script.runInThisContext()(module, createRequire(path), load);
  return module.exports;
}
