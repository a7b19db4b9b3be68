#!/usr/bin/env node
import { runCommand } from './command/run-command.ts';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.exitCode = await runCommand(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  command: 'parley-check',
  signal: stop.signal,
});
