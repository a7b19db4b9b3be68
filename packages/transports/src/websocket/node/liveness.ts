import type { Socket } from 'node:net';
import { DEFAULT_MAX_STALL_MS, DEFAULT_PING_EVERY_MS, MAX_MISSED_PINGS } from '../../network/limits.ts';

export interface LivenessOptions {
  /** How often the peer is pinged; dead after two pings without any sign. 0 turns it off. Default: 20 s. */
  readonly pingEveryMs?: number;
  /** A peer that takes nothing for this long, while something waits for it, is dropped. Default: 60 s. */
  readonly maxStallMs?: number;
}

export interface Watched {
  readonly stream: Socket;
  /** Whether we do not read: the peer's signs of life wait in the system's buffers meanwhile. */
  readonly isHeld: () => boolean;
  readonly ping: () => void;
  readonly onDead: (why: string) => void;
}

/** Pings a peer, and tells when it is dead or takes nothing any more. Returns a function that ends it. */
export function watchLiveness({ stream, isHeld, ping, onDead }: Watched, options: LivenessOptions): () => void {
  const { pingEveryMs = DEFAULT_PING_EVERY_MS, maxStallMs = DEFAULT_MAX_STALL_MS } = options;
  if (pingEveryMs === 0) return () => {};
  let [heardBytes, takenBytes] = [stream.bytesRead, takenOf(stream)];
  let [misses, stalledMs] = [0, 0];
  const timer = setInterval(() => {
    const [read, taken] = [stream.bytesRead, takenOf(stream)];
    const isStalled = stream.writableLength > 0 && taken === takenBytes;
    stalledMs = isStalled ? stalledMs + pingEveryMs : 0;
    // A ping behind unsent messages cannot be answered: then it counts whether the peer takes them.
    const mayCount = !isHeld() && stream.writableLength === 0;
    misses = mayCount && read === heardBytes ? misses + 1 : 0;
    [heardBytes, takenBytes] = [read, taken];
    if (stalledMs >= maxStallMs) onDead(`it took nothing for ${stalledMs / 1000} s`);
    else if (misses > MAX_MISSED_PINGS) onDead(`it answered none of ${MAX_MISSED_PINGS} pings`);
    else if (stream.writableLength === 0) ping();
  }, pingEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** What has left this process so far. */
function takenOf(stream: Socket): number {
  return stream.bytesWritten - stream.writableLength;
}
