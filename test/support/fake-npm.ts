import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** An `npm` that runs `program` (the body of a CommonJS script) and lists the arguments of every call. */
export function createFakeNpm(folder: string, program: string): { PATH: string; calls(): string[] } {
  const bin = join(folder, 'npm-bin');
  const log = join(bin, 'calls');
  mkdirSync(bin);
  const script = `const args = process.argv.slice(2);
require('node:fs').appendFileSync(${JSON.stringify(log)}, args.join(' ') + '\\n');
${program}`;
  writeFileSync(join(bin, 'npm.cjs'), script);
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\nexec "${process.execPath}" "${join(bin, 'npm.cjs')}" "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(join(bin, 'npm.cmd'), `@"${process.execPath}" "%~dp0npm.cjs" %*\r\n`);
  return {
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
  };
}
