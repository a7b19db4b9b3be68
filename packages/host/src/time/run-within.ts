import { ParleyError } from '@parley/jsonrpc';

/** Something took longer than it may. */
export class TimeLimitError extends ParleyError {
  override readonly name = 'TimeLimitError';

  constructor(timeoutMs: number) {
    super('time_limit', `It took longer than ${timeoutMs / 1000} s.`);
  }
}

/**
 * Runs something that may take only so long, or until `outer` aborts. Rejects then, whether or not the work heeds the signal that it
 * is given: Node 20 and 22 forget `AbortSignal.timeout` and `AbortSignal.any`, and the signal of a `fetch`, in a garbage collection.
 * The timer here holds what is needed.
 */
export async function runWithin<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = (): void => {};
  const over = new Promise<never>((_, reject) => {
    const stop = (reason: unknown): void => {
      controller.abort(reason);
      reject(reason);
    };
    timer = setTimeout(() => stop(new TimeLimitError(timeoutMs)), timeoutMs);
    onAbort = () => stop(outer?.reason);
    outer?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), over]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}
