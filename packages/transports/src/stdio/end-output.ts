import type { Writable } from 'node:stream';

export interface EndOutputOptions {
  readonly timeoutMs: number;
  /** Waits until everything is written, and leaves the stream open. */
  readonly keepOpen: boolean;
}

/** Resolves when everything is written and the stream is ended, or when that proves impossible. */
export function endOutput(writable: Writable, { timeoutMs, keepOpen }: EndOutputOptions): Promise<void> {
  if (writable.destroyed || writable.writableFinished) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      if (!keepOpen) writable.destroy();
      resolve();
    }, timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    writable.once('close', settle);
    writable.once('error', settle);
    if (keepOpen) writable.write('', settle);
    else writable.end(settle);
  });
}
