import { setTimeout as wait } from 'node:timers/promises';
import { ModelError } from './errors.ts';
import type { Model, ModelEvent, ModelRequest, StreamOptions } from './model.ts';

export interface RetryOptions {
  /** Tries in all, the first included. Default: 5. */
  readonly maxAttempts?: number;
  /** Upper bound of the first wait; it doubles with each try. Default: 500 ms. */
  readonly baseDelayMs?: number;
  /** Upper bound of any wait we choose ourselves. Default: 20 s. */
  readonly maxDelayMs?: number;
  /** A provider that asks for more patience than this gets none: the person hears at once. Default: 60 s. */
  readonly maxRetryAfterMs?: number;
  readonly random?: () => number;
  readonly sleep?: (delayMs: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * The same model, but patient. An attempt is repeated only while it has shown nothing: once text, a thought or a tool
 * call went out, a second attempt would say other words than those on the screen and might call a tool twice, so the
 * error passes on and the loop keeps what has arrived. Each repetition is announced by a `retry` event.
 */
export function withRetries(model: Model, options: RetryOptions = {}): Model {
  return {
    id: model.id,
    name: model.name,
    contextWindow: model.contextWindow,
    accepts: model.accepts,
    thinkingLevels: model.thinkingLevels,
    stream: (request, streamOptions) => streamPatiently(model, request, { ...options, ...streamOptions }),
  };
}

async function* streamPatiently(
  model: Model,
  request: ModelRequest,
  options: RetryOptions & StreamOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { maxAttempts = 5, sleep = abortableSleep, signal } = options;
  for (let attempt = 1; ; attempt++) {
    let hasShown = false;
    try {
      for await (const event of model.stream(request, signal ? { signal } : {})) {
        hasShown ||= event.type !== 'usage';
        yield event;
      }
      return;
    } catch (error) {
      if (!(error instanceof ModelError) || !error.isRetryable || hasShown || attempt >= maxAttempts) throw error;
      const delayMs = delayFor(error, attempt, options);
      if (delayMs === undefined) throw error;
      yield { type: 'retry', attempt, delayMs, error };
      await sleep(delayMs, signal);
    }
  }
}

/** Full jitter (anything up to the doubled bound), never earlier than the provider asks. Undefined: too long to wait. */
function delayFor(error: ModelError, attempt: number, options: RetryOptions): number | undefined {
  const { baseDelayMs = 500, maxDelayMs = 20_000, maxRetryAfterMs = 60_000, random = Math.random } = options;
  const asked = error.retryAfterMs ?? 0;
  if (asked > maxRetryAfterMs) return undefined;
  const bound = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
  return asked + Math.round(random() * bound);
}

async function abortableSleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(delayMs, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
