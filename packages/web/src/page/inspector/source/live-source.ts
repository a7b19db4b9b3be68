import { Backoff, type BackoffOptions } from '@parley/jsonrpc/internal';
import { readEntry, type TraceEntry } from '@parley/session/traces';
import { type Api, ApiError } from '../../connection/api.ts';

/** How the traffic of a server comes. */
export interface LiveState {
  readonly kind: 'connecting' | 'open' | 'cut' | 'refused';
  /** What is wrong, for a person. */
  readonly problem?: string;
}

export interface LiveListener {
  onEntries(entries: readonly TraceEntry[]): void;
  /** Entries that the server had forgotten before they could be read. */
  onMissed(count: number): void;
  onState(state: LiveState): void;
}

const BACKOFF: BackoffOptions = { firstMs: 500, maxMs: 10_000 };

/** Follows the traffic of a server until the signal aborts; after a cut it goes on where it was. */
export async function followTraffic(
  api: Pick<Api, 'traffic'>,
  listener: LiveListener,
  signal: AbortSignal,
): Promise<void> {
  let place: { run?: string; after?: number } = {};
  const backoff = new Backoff(BACKOFF);
  const take = (lines: readonly unknown[]): void => {
    const entries: TraceEntry[] = [];
    for (const line of lines) {
      const { run, missed, seq } = (line ?? {}) as { run?: unknown; missed?: unknown; seq?: unknown };
      if (typeof run === 'string' && run !== place.run) place = { run };
      if (typeof missed === 'number') listener.onMissed(missed);
      const entry = readEntry(line);
      if (!entry || typeof seq !== 'number') continue;
      place = { ...place, after: seq };
      entries.push(entry);
    }
    backoff.reset();
    listener.onState({ kind: 'open' });
    if (entries.length > 0) listener.onEntries(entries);
  };
  while (!signal.aborted) {
    try {
      await api.traffic(place, take, signal);
      listener.onState({ kind: 'cut', problem: 'The server has ended the stream.' });
    } catch (error) {
      if (signal.aborted) return;
      const isFinal = error instanceof ApiError && error.status >= 400 && error.status < 500;
      listener.onState({ kind: isFinal ? 'refused' : 'cut', problem: (error as Error).message });
      if (isFinal) return;
    }
    await backoff.pause(signal);
  }
}
