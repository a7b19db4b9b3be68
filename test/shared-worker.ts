import { afterAll, expect, vi } from 'vitest';

const GLOBALS = ['fetch', 'WebSocket', 'setTimeout', 'setInterval', 'Date', 'performance'];

/** Setup of the lanes whose files share a worker: restores `vi.stubEnv` and `vi.stubGlobal`, and fails a file that leaves another global changed. */
const before = takeGlobals();

// After-hooks run in reverse order: those of the test file have restored theirs by now.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  const after = takeGlobals();
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  expect(
    changed,
    'The file changed globals for the next one; change them with vi.stubEnv or vi.stubGlobal, or restore them in afterAll',
  ).toEqual([]);
});

function takeGlobals(): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(process.env).map(([name, value]): [string, unknown] => [`process.env.${name}`, value]),
    ...GLOBALS.map((name): [string, unknown] => [name, Reflect.get(globalThis, name)]),
    ['process.cwd()', process.cwd()],
    ['process.exitCode', process.exitCode],
  ]);
}
