import { spawnProcess } from '@parley/transports/process';
import { type ByteEnds, createByteWire } from './byte-wire.ts';
import type { OpenWireOptions, Wire } from './wire.ts';

export interface ProcessWireOptions extends OpenWireOptions {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a command and takes hold of its bytes. The process, and all it starts, ends with the wire. */
export async function openProcessWire({ argv, cwd, exitMs, env }: ProcessWireOptions): Promise<Wire> {
  const [command = '', ...args] = argv;
  const transport = await spawnProcess({
    command,
    args,
    cwd,
    env: { ...process.env, ...env },
    eofGraceMs: exitMs,
    recordsDir: false,
  });
  const spawned = transport.process;
  // The transport's own reading only keeps the bytes flowing; what it makes of them is of no interest here.
  transport.onFault(() => {});
  transport.onMessage(() => {});
  spawned.stdin.on('error', () => {});

  const ends: ByteEnds = {
    send: (bytes) => spawned.stdin.write(bytes),
    end: () => spawned.stdin.end(),
    onBytes: (listener) => spawned.stdout.on('data', listener),
    pause: () => transport.pause(),
    resume: () => transport.resume(),
    ended: new Promise((resolve) => {
      transport.onClose(async () => {
        const { code, signal } = await spawned.exited;
        resolve({ how: signal === null ? `exited with code ${code}` : `was killed by ${signal}`, exitCode: code });
      });
    }),
    stderr: () => spawned.stderrTail,
    close: () => transport.close(),
  };
  return createByteWire(ends);
}
