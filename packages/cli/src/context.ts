import { fstatSync } from 'node:fs';
import type { CommandContext } from '@parley/host/command-line';
import { createFileOutput, watchOutput } from '@parley/host/output';
import { takeEnvironment } from '@parley/host/secrets';
import { terminalWriter } from '@parley/host/terminal';

/** The world around one run of `parley`. */
export interface CliContext extends CommandContext {
  /** The same terminal for readline, which moves the cursor: only what the person types and our own prompts go here. */
  readonly terminal: CliContext['stderr'];
  /** How to start this program again: our own agent is `parley agent`. */
  readonly self: { readonly command: string; readonly args: readonly string[] };
}

/**
 * The context of this process, for a program that lies at `programPath`. Removes model keys from `process.env`: only
 * `env` of the context has them.
 */
export function processContext(programPath: string): CliContext {
  const env = takeEnvironment();
  const { stdin, execPath, execArgv } = process;
  const stdout = terminalWriter(isFile(1) ? createFileOutput(1) : process.stdout);
  const stderr = terminalWriter(process.stderr);
  // A reader that has left, as in `parley agents | head -1`, is no reason to crash; a run notices by itself and stops.
  for (const stream of new Set([stdout, stderr, process.stdout, process.stderr])) watchOutput(stream);
  return {
    env,
    cwd: process.cwd(),
    stdin,
    stdout,
    stderr,
    terminal: process.stderr,
    self: { command: execPath, args: [...execArgv, programPath] },
  };
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}
