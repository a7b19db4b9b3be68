import type { SessionRecord } from '@parley/store';

/** The process that works in a session, or did until it was killed. */
export interface Worker {
  /** In words: `process 4711 on laptop`. */
  readonly name: string;
  /** Undefined where the owner of a session is not a process that tells. */
  readonly pid?: number;
  /** Whether it may still be at work. */
  readonly isThere: boolean;
}

/** Who owns a session, as its lease tells. */
export function readWorker({ lease, isHeld }: SessionRecord): Worker | undefined {
  if (!lease) return undefined;
  const [words = lease.owner, pid] = /^process (\d+) on [^[]*/.exec(lease.owner) ?? [];
  return { name: words.trim(), ...(pid !== undefined && { pid: Number(pid) }), isThere: isHeld };
}
