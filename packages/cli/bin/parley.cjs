#!/usr/bin/env node
// The command `parley`. Apart from the built program, because npm links a command only to a file that is there when it
// installs, and a clone is installed before it is built.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const program = join(__dirname, '../dist/parley.program.cjs');
try {
  require(program);
} catch (error) {
  if (existsSync(program)) throw error;
  console.error('Parley is not built yet. Run "npm run build" in its folder, then try again.');
  process.exitCode = 1;
}
