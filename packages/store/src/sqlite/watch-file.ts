import { statSync } from 'node:fs';
import { locateFiles } from './store-files.ts';

export interface WatchFileOptions {
  readonly path: string;
  readonly intervalMs: number;
  /** Asks whether other processes have written. */
  readonly ask: () => void;
}

/**
 * Looking at the file's times is nearly free, but they are coarse: two commits of one moment can leave the same, which the
 * question after the next look makes up for. Some file systems count whole seconds, or tell the times late; there only
 * asking now and then helps.
 */
const QUESTIONS_PER_CHANGE = 2;
const MAX_QUIET_MS = 200;

/** Asks when the file may have changed, and now and then in any case. Returns how to stop. */
export function watchFile({ path, intervalMs, ask }: WatchFileOptions): () => void {
  let times: string | undefined;
  let quietLooks = 0;
  const looksPerQuestion = Math.max(1, Math.floor(MAX_QUIET_MS / intervalMs));
  const look = (): void => {
    const before = times;
    times = timesOf(path);
    quietLooks = times === before ? quietLooks + 1 : 0;
    if (quietLooks < QUESTIONS_PER_CHANGE || quietLooks % looksPerQuestion === 0) ask();
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
