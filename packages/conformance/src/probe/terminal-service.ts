import { type ChildProcess, spawn } from 'node:child_process';
import { RpcError } from '@parley/jsonrpc';
import type { CreateTerminalRequest, TerminalExitStatus } from '@parley/protocol';

/** Output that is kept of one terminal when the agent names no limit. */
const DEFAULT_OUTPUT_BYTES = 1024 * 1024;

interface RunningTerminal {
  readonly child: ChildProcess;
  readonly exited: Promise<TerminalExitStatus>;
  output: Buffer;
  isTruncated: boolean;
  exit?: TerminalExitStatus;
}

/** Serves `terminal/*` with real processes, each in a group of its own. */
export class TerminalService {
  readonly #cwd: string;
  readonly #terminals = new Map<string, RunningTerminal>();
  #count = 0;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  create({ command, args = [], env = [], cwd, outputByteLimit }: CreateTerminalRequest): { terminalId: string } {
    const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    const child = spawn(command, args, {
      cwd: cwd ?? this.#cwd,
      env: { ...process.env, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      // Some agents send a whole command line as `command`; a shell runs both kinds.
      shell: args.length === 0,
    });
    const limit = outputByteLimit ?? DEFAULT_OUTPUT_BYTES;
    const exited = new Promise<TerminalExitStatus>((resolve) => {
      child.once('error', () => resolve({ exitCode: 127, signal: null }));
      child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
    });
    const terminal: RunningTerminal = { child, exited, output: Buffer.alloc(0), isTruncated: false };
    const keep = (chunk: Buffer): void => {
      const all = Buffer.concat([terminal.output, chunk]);
      terminal.isTruncated ||= all.length > limit;
      terminal.output = all.length > limit ? fromCharacter(all.subarray(-limit)) : all;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    void exited.then((exit) => {
      terminal.exit = exit;
    });
    const terminalId = `term-${++this.#count}`;
    this.#terminals.set(terminalId, terminal);
    return { terminalId };
  }

  output(terminalId: string): { output: string; truncated: boolean; exitStatus?: TerminalExitStatus } {
    const { output, isTruncated, exit } = this.#get(terminalId);
    return { output: output.toString('utf8'), truncated: isTruncated, ...(exit && { exitStatus: exit }) };
  }

  waitForExit(terminalId: string): Promise<TerminalExitStatus> {
    return this.#get(terminalId).exited;
  }

  kill(terminalId: string): Record<string, never> {
    killGroup(this.#get(terminalId).child);
    return {};
  }

  release(terminalId: string): Record<string, never> {
    const { child, exit } = this.#get(terminalId);
    if (!exit) killGroup(child);
    this.#terminals.delete(terminalId);
    return {};
  }

  releaseAll(): void {
    for (const id of [...this.#terminals.keys()]) this.release(id);
  }

  #get(terminalId: string): RunningTerminal {
    const terminal = this.#terminals.get(terminalId);
    if (!terminal) throw RpcError.invalidParams(`There is no terminal ${terminalId}`);
    return terminal;
  }
}

/** The bytes from the first whole character on. */
function fromCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
