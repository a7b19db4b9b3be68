import type { Socket } from 'node:net';

/** No request of HTTP/1.1 begins like the preface of HTTP/2 (RFC 9113, section 3.4). */
const PREFACE = Buffer.from('PRI * HTTP/2.0');

/** Finds out by its first bytes which HTTP a client speaks, and leaves those bytes to be read. */
export function peekProtocol(
  socket: Socket,
  { timeoutMs, onProtocol }: { timeoutMs: number; onProtocol: (protocol: 'http/1.1' | 'h2') => void },
): void {
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  const stop = (): void => clearTimeout(timer);
  let seen: Buffer = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.once('close', stop);
  socket.on('readable', look);

  function look(): void {
    // Newer versions of Node hand over one piece at a time, though more have come.
    for (let bytes: Buffer | null = socket.read(); bytes !== null; bytes = socket.read()) {
      seen = seen.length === 0 ? bytes : Buffer.concat([seen, bytes]);
      if (seen.length >= PREFACE.length) break;
    }
    if (seen.length === 0) return;
    const known = Math.min(seen.length, PREFACE.length);
    const isPreface = PREFACE.subarray(0, known).equals(seen.subarray(0, known));
    if (isPreface && known < PREFACE.length) return;
    stop();
    socket.off('readable', look);
    socket.off('close', stop);
    socket.unshift(seen);
    onProtocol(isPreface ? 'h2' : 'http/1.1');
  }
}
