import type { LoggedEvent, SessionLog } from '@parley/store';

export interface ReadKeptOptions {
  readonly after?: number | undefined;
  readonly upTo?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether a cursor that has expired before anything was read is an error, as for one that a client brings. Default: false. */
  readonly isStrict?: boolean;
}

/**
 * The entries after a cursor; where some of them are no longer kept, also because they were dropped just now, it goes on with those
 * that are, of which the first tells that turns are missing. For readers that can do without the others.
 */
export async function* readKept(
  log: SessionLog,
  sessionId: string,
  { isStrict = false, ...options }: ReadKeptOptions,
): AsyncGenerator<LoggedEvent> {
  let isBegun = false;
  try {
    for await (const logged of log.read(sessionId, options)) {
      isBegun = true;
      yield logged;
    }
  } catch (error) {
    if (!isExpired(error) || (isStrict && !isBegun)) throw error;
    // What is kept begins behind everything that was read so far.
    yield* log.read(sessionId, { ...options, after: 0 });
  }
}

/** Whether events that a reader wants next are no longer kept. */
export function isExpired(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === 'cursor_expired';
}
