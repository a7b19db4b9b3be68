import type { Buffers } from './workspace.ts';

/** Open files with unsaved text, kept by path: what an editor hands to the client. */
export interface OpenBuffers extends Buffers {
  /** Says what an open file holds now. */
  open(path: string, text: string): void;
  /** The file is closed, or saved: the disk is right again. */
  close(path: string): void;
}

/** Keeps unsaved buffers in memory. A file that the agent writes replaces the buffer's text. */
export function createBuffers(): OpenBuffers {
  const texts = new Map<string, string>();
  return {
    open: (path, text) => void texts.set(path, text),
    close: (path) => void texts.delete(path),
    read: (path) => texts.get(path),
    write: (path, content) => {
      if (texts.has(path)) texts.set(path, content);
    },
  };
}
