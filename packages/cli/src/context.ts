import type { Readable, Writable } from 'node:stream';
import { terminalWriter } from '@parley/host/terminal';

/** The world around one run of the command. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the person stands. */
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** How to start this program again: our own agent is `parley agent`. */
  readonly self: { readonly command: string; readonly args: readonly string[] };
}

/** The context of this process, for a program that lies at `programPath`. */
export function processContext(programPath: string): CliContext {
  const { env, stdin, stdout, stderr, execPath, execArgv } = process;
  return {
    env,
    cwd: process.cwd(),
    stdin,
    stdout: terminalWriter(stdout),
    stderr: terminalWriter(stderr),
    self: { command: execPath, args: [...execArgv, programPath] },
  };
}
