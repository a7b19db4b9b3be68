import { readFileSync } from 'node:fs';
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
  script.runInThisContext()(module, requireLazily(path), load);
  return module.exports;
}

/**
 * Loads each of Node's modules when it is first used: `node:crypto` alone costs a tenth of bare Node's start. `node:process`
 * is always loaded, and its properties can be set.
 */
function requireLazily(path: string): (name: string) => unknown {
  return (name) => {
    if (name === 'node:process') return process;
    if (!name.startsWith('node:')) return process.getBuiltinModule('node:module').createRequire(path)(name);
    return new Proxy({}, { get: (_, property) => Reflect.get(process.getBuiltinModule(name) as object, property) });
  };
}
