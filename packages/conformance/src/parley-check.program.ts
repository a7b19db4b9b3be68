#!/usr/bin/env node
import { terminalWriter } from '@parley/host/terminal';
import { runCommand } from './command/run-command.ts';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.exitCode = await runCommand(process.argv.slice(2), {
  stdout: terminalWriter(process.stdout),
  stderr: terminalWriter(process.stderr),
  command: 'parley-check',
  signal: stop.signal,
});
