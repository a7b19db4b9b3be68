import type { WriteStream } from 'node:tty';

/**
 * Asks the system how large the window is. Node learns of a change by a signal, which may come after the next frame is
 * drawn; a frame for a window that no longer exists would leave its traces. The method has no public name.
 */
export function refreshSize(output: WriteStream): void {
  const { _refreshSize } = output as WriteStream & { _refreshSize?: () => void };
  _refreshSize?.call(output);
}
