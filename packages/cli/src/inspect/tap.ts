import { isRecord, type TraceEntry } from '@parley/session/traces';
import { FrameDecoder } from '@parley/transports/framing';

/** Reads along with one direction of a wire. It never throws and never slows anything down. */
export interface Tap {
  readonly write: (chunk: Uint8Array) => void;
  end(): void;
}

/** Longest piece of something that is no message that is kept. */
const MAX_NOISE_CHARACTERS = 2000;

export function createTap(direction: 'in' | 'out', add: (entry: TraceEntry) => void): Tap {
  const noise = (text: string): void =>
    add({ kind: 'noise', timeMs: Date.now(), direction, text: text.slice(0, MAX_NOISE_CHARACTERS) });
  const decoder = new FrameDecoder(
    {
      onValue: (value) =>
        isRecord(value)
          ? add({ kind: 'message', timeMs: Date.now(), direction, message: value })
          : noise(JSON.stringify(value)),
      onFault: ({ kind, detail, bytes }) => noise(`${kind}: ${detail} (${bytes} bytes)`),
      onNoise: noise,
      onEnd: () => {},
    },
    { framing: 'auto' },
  );
  return {
    // The bytes are passed on as well, and whoever gets them may change them.
    write: (chunk) => decoder.write(Uint8Array.from(chunk)),
    end: () => decoder.end(),
  };
}
