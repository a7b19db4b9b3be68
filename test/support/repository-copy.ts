import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A copy of this repository to build in: a clone that was never built stays one, and tests do not build in each other's way. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** What a build needs. */
const SOURCES = ['packages', 'scripts', 'tooling', 'package.json'];

const run = promisify(execFile);

/** Sources are copied, what others have made is linked, and the workspaces are those of the copy. */
export function copyRepository(copy: string): void {
  const configs = readdirSync(root).filter((name) => /^tsconfig.*\.json$/.test(name));
  for (const name of [...SOURCES, ...configs]) {
    const isWanted = (path: string): boolean => !['node_modules', 'dist'].includes(basename(path));
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: isWanted });
  }
  const modules = join(root, 'node_modules');
  mkdirSync(join(copy, 'node_modules', '@parley'), { recursive: true });
  for (const name of readdirSync(modules)) {
    if (name !== '@parley' && !name.startsWith('.')) link(join(modules, name), join(copy, 'node_modules', name));
  }
  for (const name of readdirSync(join(copy, 'packages'))) {
    link(join(copy, 'packages', name), join(copy, 'node_modules', '@parley', name));
  }
}

export function link(target: string, path: string): void {
  symlinkSync(target, path, 'junction');
}

/** A command in the copy, which finds the tools of this repository. */
export function runInCopy(copy: string, command: string, args: readonly string[]): Promise<{ stdout: string }> {
  const PATH = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
  return run(command, [...args], {
    cwd: copy,
    env: { ...process.env, PATH },
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
}
