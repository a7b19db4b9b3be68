import { type ByteEnds, createByteWire } from './byte-wire.ts';
import type { Wire, WireEnd } from './wire.ts';

/** Two ends of one wire of bytes in this process. */
export function createMemoryWires(): readonly [Wire, Wire] {
  const ends = [createEnd(), createEnd()] as const;
  const [left, right] = ends;
  return [createByteWire(join(left, right)), createByteWire(join(right, left))];
}

interface MemoryEnd {
  listener: (chunk: Uint8Array) => void;
  waiting: Uint8Array[] | undefined;
  readonly ended: Promise<WireEnd>;
  finish: (end: WireEnd) => void;
}

function createEnd(): MemoryEnd {
  let finish: (end: WireEnd) => void = () => {};
  const ended = new Promise<WireEnd>((resolve) => {
    finish = resolve;
  });
  return { listener: () => {}, waiting: undefined, ended, finish };
}

function join(own: MemoryEnd, other: MemoryEnd): ByteEnds {
  const deliver = (end: MemoryEnd, chunk: Uint8Array): void => {
    if (end.waiting) end.waiting.push(chunk);
    else end.listener(chunk);
  };
  // What is sent arrives in order and never in the same turn of the loop, as with a real pipe.
  const later = (work: () => void): void => void setImmediate(work);
  return {
    send: (bytes) => later(() => deliver(other, typeof bytes === 'string' ? Buffer.from(bytes) : bytes)),
    end: () => later(() => other.finish({ how: 'closed its side' })),
    onBytes(listener) {
      own.listener = listener;
    },
    pause() {
      own.waiting ??= [];
    },
    resume() {
      const held = own.waiting ?? [];
      own.waiting = undefined;
      for (const chunk of held) own.listener(chunk);
    },
    ended: own.ended,
    stderr: () => '',
    async close() {
      later(() => other.finish({ how: 'closed its side' }));
      own.finish({ how: 'was closed' });
    },
  };
}
