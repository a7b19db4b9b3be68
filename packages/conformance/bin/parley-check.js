#!/usr/bin/env node
// The command `parley-check`. Apart from the built program, because npm links a command only to a file that is there when
// it installs, and a clone is installed before it is built.
import { existsSync } from 'node:fs';

const program = new URL('../dist/parley-check.program.js', import.meta.url);
try {
  await import(program.href);
} catch (error) {
  if (existsSync(program)) throw error;
  console.error('Parley is not built yet. Run "npm run build" in its folder, then try again.');
  process.exitCode = 1;
}
