import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import type { CommandAddress } from '@parley/client';
import { createLaunch, type Launch, SpawnError, signalGroup, stopLaunch, watchLaunch } from '@parley/host/process';
import type { CliContext } from '../context.ts';

export interface RelayOptions {
  readonly address: CommandAddress;
  readonly context: CliContext;
  /** Sees the bytes from the client to the agent, after they were passed on. */
  readonly onOut: (chunk: Uint8Array) => void;
  readonly onIn: (chunk: Uint8Array) => void;
  readonly onStderr: (text: string) => void;
}

/** How long an agent whose client is gone may take to end by itself, and then after SIGTERM. */
const EOF_GRACE_MS = 5000;
const TERM_GRACE_MS = 2000;

/** Starts an agent and connects it to our own stdin and stdout, byte by byte. Resolves to its exit code; leaves nothing behind. */
export async function relay({ address, context, onOut, onIn, onStderr }: RelayOptions): Promise<number> {
  const launch = createLaunch();
  const child = await start(address, launch, context);
  const pid = child.pid ?? 0;
  const unwatch = watchLaunch(pid, launch.id);
  const { stdin, stdout } = context;
  let ending: NodeJS.Timeout | undefined;
  const stop = (): Promise<void> => stopLaunch({ groupId: pid, launch, termGraceMs: TERM_GRACE_MS });

  const endSoon = (): void => {
    child.stdin.end();
    ending ??= setTimeout(() => void stop(), EOF_GRACE_MS);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    signalGroup(pid, signal);
    endSoon();
  };
  child.stdin.on('error', () => {});
  stdout.on('error', endSoon);
  pass(stdin, child.stdin, onOut);
  stdin.once('end', endSoon);
  pass(child.stdout, stdout, onIn);
  child.stderr.setEncoding('utf8').on('data', onStderr);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  try {
    const { code, signal } = await ended(child);
    return code ?? 128 + (signal === null ? 0 : (constants.signals[signal] ?? 0));
  } finally {
    clearTimeout(ending);
    stdin.destroy();
    await stop();
    unwatch();
  }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

async function start({ command, args, env, cwd }: CommandAddress, launch: Launch, context: CliContext): Promise<Child> {
  const child = spawn(command, args, {
    cwd: cwd ?? context.cwd,
    env: { ...context.env, ...env, ...launch.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that it can be ended with all it has started.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(new SpawnError(command, error.code === 'ENOENT' ? 'there is no such program.' : error.message, error)),
    );
  });
  return child;
}

/** Hands over every chunk as it is, then shows it; a slow reader slows the writer down. */
function pass(from: Readable, to: Writable, seen: (chunk: Uint8Array) => void): void {
  from.on('data', (chunk: Buffer) => {
    if (!to.writableEnded && !to.destroyed && !to.write(chunk)) {
      from.pause();
      to.once('drain', () => from.resume());
      to.once('close', () => from.resume());
    }
    seen(chunk);
  });
}

/** When it has exited and all its output has been passed on, or it has left its output to others for a while. */
function ended(child: Child): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }> {
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.once('exit', (code, signal) => setTimeout(() => resolve({ code, signal }), OUTPUT_LAG_MS).unref());
  });
}

/** A child of the agent that holds its output open must not keep us. */
const OUTPUT_LAG_MS = 1000;
