import type { Writable } from 'node:stream';
import { safeForTerminal } from './safe-for-terminal.ts';

export type TerminalStream = Writable & { readonly isTTY?: boolean };

/**
 * The same stream for whoever only prints: whatever is written to it reaches a terminal as text and plain styles, never
 * as a sequence that moves the cursor, sets the title or fills the clipboard. A file or a pipe gets every byte as it is.
 */
export function terminalWriter<Stream extends TerminalStream>(stream: Stream): Stream {
  if (!stream.isTTY) return stream;
  const decoder = new TextDecoder();
  const textOf = (chunk: string | Uint8Array): string =>
    typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  const write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    const done = rest.find((each): each is (error?: Error | null) => void => typeof each === 'function');
    return stream.write(safeForTerminal(textOf(chunk)), done);
  };
  return new Proxy(stream, {
    get(target, key) {
      if (key === 'write') return write;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
