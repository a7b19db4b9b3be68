#!/usr/bin/env node
// The command `parley`. Each program behind it is a bundle of its own that loads what it needs and no more. Nothing is
// imported ahead, so that also a failing import is told in words.
import { fileURLToPath } from 'node:url';

const argv = process.argv.slice(2);
/** Editors start the agent all the time, and so do we: it does not wait for the command line parser. */
const isPlainAgent = /^agent( --no-store| --permission-mode default)*$/.test(argv.join(' '));

try {
  const { run } = isPlainAgent ? await import('./agent.program.ts') : await import('./command.program.ts');
  await run(argv, fileURLToPath(import.meta.url));
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const isOutOfFiles = code === 'EMFILE' || code === 'ENFILE';
  const words = isOutOfFiles ? 'Too many files are open; allow more with: ulimit -n 1024' : message;
  process.stderr.write(`parley: ${words}\n`, () => process.exit(1));
}
