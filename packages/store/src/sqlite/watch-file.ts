import { statSync } from 'node:fs';
import { locateFiles } from './store-files.ts';

export interface WatchFileOptions {
  readonly path: string;
  readonly intervalMs: number;
  /** Asks whether other processes have written. */
  readonly ask: () => void;
}

/**
 * Looks at the file's times between two questions to the thread. The times are nearly free but coarse: two commits of one
 * moment can leave the same, which the question after the next look, or at worst the next regular one, makes up for.
 */
const LOOKS_PER_QUESTION = 10;
const QUESTIONS_PER_CHANGE = 2;

/** Asks when the file may have changed, and now and then in any case. Returns how to stop. */
export function watchFile({ path, intervalMs, ask }: WatchFileOptions): () => void {
  let times: string | undefined;
  let quietLooks = 0;
  const look = (): void => {
    const before = times;
    times = timesOf(path);
    quietLooks = times === before ? quietLooks + 1 : 0;
    if (quietLooks < QUESTIONS_PER_CHANGE || quietLooks % LOOKS_PER_QUESTION === 0) ask();
  };
  look();
  const timer = setInterval(look, intervalMs);
  return () => clearInterval(timer);
}

/** Every commit, whoever makes it, is written to the write-ahead log first. */
function timesOf(path: string): string {
  try {
    const { size, mtimeNs, ino } = statSync(locateFiles(path).wal, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    // Not there, or out of reach: who reads next learns why.
    return 'none';
  }
}
