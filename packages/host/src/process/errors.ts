import { ParleyError } from '@parley/jsonrpc';

/** How a process ended. One of the two is null, or both when its end was not seen. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A command could not be started. */
export class SpawnError extends ParleyError {
  override readonly name = 'SpawnError';
  readonly command: string;

  constructor(command: string, because: string, cause: unknown) {
    super('spawn_failed', `Cannot start "${command}": ${because}`, { cause });
    this.command = command;
  }
}

/** A process that we talked to has ended. */
export class ProcessExitError extends ParleyError {
  override readonly name = 'ProcessExitError';
  readonly command: string;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last of what it wrote to stderr. */
  readonly stderrTail: string;

  constructor(command: string, exit: ProcessExit, stderrTail: string) {
    super('process_exited', `"${command}" ${describeExit(exit)}${quoteTail(stderrTail)}`);
    this.command = command;
    this.exitCode = exit.code;
    this.signal = exit.signal;
    this.stderrTail = stderrTail;
  }
}

function describeExit({ code, signal }: ProcessExit): string {
  if (signal !== null) return `was killed by ${signal}`;
  return code === null ? 'closed its output and did not exit' : `exited with code ${code}`;
}

function quoteTail(stderrTail: string): string {
  const lines = stderrTail.trim().split('\n').slice(-QUOTED_STDERR_LINES);
  return lines[0] === '' ? '; it wrote nothing to stderr.' : `; its last words on stderr:\n${lines.join('\n')}`;
}

const QUOTED_STDERR_LINES = 5;
