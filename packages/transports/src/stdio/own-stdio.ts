import { ParleyError, type Transport } from '@parley/jsonrpc';
import type { WireFraming } from '../framing/framing.ts';
import { type StreamOptions, StreamTransport } from '../stream/stream-transport.ts';
import { guardStdout } from './guard-stdout.ts';
import { watchReader } from './watch-reader.ts';

export interface OwnStdioOptions extends StreamOptions {
  /** Sends what others write to stdout to stderr instead, where it cannot break the wire. Default: true. */
  readonly guard?: boolean;
  /** The signals that end the wire in good order; a second one has its usual effect. Default: SIGTERM and SIGINT. */
  readonly signals?: readonly NodeJS.Signals[];
  /** Called when such a signal arrives, before the wire ends. */
  readonly onSignal?: (signal: NodeJS.Signals) => void;
}

export interface OwnStdio extends Transport {
  /** The framing of the peer's first message; `newline` until there is one. */
  readonly peerFraming: WireFraming;
}

/** This process's own stdin and stdout as a wire: what an agent serves when a client has spawned it. */
export function ownStdio(options: OwnStdioOptions = {}): OwnStdio {
  const { framing = 'auto', guard = true, signals = ['SIGTERM', 'SIGINT'], onSignal } = options;
  const { stdin, stdout } = process;
  if (isInUse)
    throw new ParleyError('stdio_in_use', 'This process already has a wire on its stdio; close that one first.');
  isInUse = true;

  const ends = { readable: stdin, writable: stdout, keepsOutput: true, release };
  const transport = new StreamTransport(ends, { ...options, framing });
  const stopWatching = watchReader((error) => transport.loseOutput(error));
  const restoreStdout = guard ? guardStdout() : undefined;
  for (const signal of signals) process.on(signal, endOnSignal);
  return transport;

  function endOnSignal(signal: NodeJS.Signals): void {
    ignoreSignals();
    onSignal?.(signal);
    transport.end();
  }

  function ignoreSignals(): void {
    for (const signal of signals) process.off(signal, endOnSignal);
  }

  /** Stdout itself stays open: Node cannot close it, and the peer sees its end when this process exits. */
  function release(): void {
    ignoreSignals();
    stopWatching();
    restoreStdout?.();
    isInUse = false;
  }
}

/** Two wires on one pair of streams would take each other's messages. */
let isInUse = false;
