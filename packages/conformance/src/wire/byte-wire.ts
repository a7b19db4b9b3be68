import { LineSplitter } from './line-splitter.ts';
import type { ByteSender, ReceivedFrame, Wire, WireEnd } from './wire.ts';

/** The two directions of bytes, and how they end. */
export interface ByteEnds {
  send(bytes: Uint8Array | string): void;
  /** Ends our side. */
  end(): void;
  onBytes(listener: (chunk: Uint8Array) => void): void;
  pause(): void;
  resume(): void;
  readonly ended: Promise<WireEnd>;
  stderr(): string;
  close(): Promise<void>;
}

/** Newline-delimited frames over bytes: stdio, or its likeness in memory. */
export function createByteWire(ends: ByteEnds): Wire {
  let listener: ((frame: ReceivedFrame) => void) | undefined;
  let isEnded = false;
  let isInputEnded = false;
  // A process may have something to say before anybody has taken hold of the wire.
  const early: ReceivedFrame[] = [];
  const splitter = new LineSplitter((frame) => (listener ? listener(frame) : early.push(frame)));
  ends.onBytes((chunk) => splitter.write(chunk));

  const bytes: ByteSender = {
    send(data) {
      if (!isEnded && !isInputEnded) ends.send(data);
    },
    end() {
      if (!isInputEnded) ends.end();
      isInputEnded = true;
    },
  };
  const ended = ends.ended.then((end) => {
    splitter.end();
    isEnded = true;
    return end;
  });
  return {
    bytes,
    ended,
    sendFrame: (text) => bytes.send(`${text}\n`),
    onFrame(next) {
      listener = next;
      for (const frame of early.splice(0)) next(frame);
    },
    pause: () => ends.pause(),
    resume: () => ends.resume(),
    get isEnded() {
      return isEnded;
    },
    get stderr() {
      return ends.stderr();
    },
    close: () => ends.close(),
  };
}
