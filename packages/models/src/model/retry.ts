import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs } from '@parley/jsonrpc/internal';
import { ModelError } from './errors.ts';
import type { Model, ModelEvent, ModelRequest, StreamOptions } from './model.ts';

export interface RetryOptions {
  /** Tries in all, the first included. Default: 10. */
  readonly maxAttempts?: number;
  /** The first wait; it doubles with each try. Default: 2 s; 1 s where nothing listens on this machine. */
  readonly baseDelayMs?: number;
  /** The longest wait that we choose ourselves. Default: 30 s. */
  readonly maxDelayMs?: number;
  /** A provider that asks for more patience than this gets none: the person hears at once. Default: 60 s. */
  readonly maxRetryAfterMs?: number;
  readonly random?: () => number;
  readonly sleep?: (delayMs: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * The same model, but patient. An attempt that fails is repeated, also in the middle of its answer: calls run when an answer is
 * whole, so that nothing happens twice. Each repetition is announced by a `retry` event, and what came before it in the stream
 * is no part of the answer. Where nothing listens at an address of this machine, patience is short, unless a turn's work or the
 * beginning of an answer would be lost.
 */
export function withRetries(model: Model, options: RetryOptions = {}): Model {
  return {
    id: model.id,
    name: model.name,
    // A server may tell it only when the model is loaded.
    get contextWindow() {
      return model.contextWindow;
    },
    accepts: model.accepts,
    thinkingLevels: model.thinkingLevels,
    hasWebSearch: model.hasWebSearch ?? false,
    stream: (request, streamOptions) => streamPatiently(model, request, { ...options, ...streamOptions }),
  };
}

async function* streamPatiently(
  model: Model,
  request: ModelRequest,
  options: RetryOptions & StreamOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { sleep = abortableSleep, signal } = options;
  let isUnstarted = !isMidTurn(request);
  for (let attempt = 1; ; attempt++) {
    let hasShown = false;
    try {
      for await (const event of model.stream(request, signal ? { signal } : {})) {
        hasShown ||= event.type === 'text' || event.type === 'thought';
        yield event;
      }
      return;
    } catch (error) {
      if (!(error instanceof ModelError) || !error.isRetryable) throw error;
      isUnstarted &&= error.isDown;
      const limits = isUnstarted ? briefly(options) : options;
      const { maxAttempts = 10 } = limits;
      if (attempt >= maxAttempts) throw attempt === 1 ? error : withTries(error, attempt);
      const delayMs = delayFor(error, attempt, limits);
      if (delayMs === undefined) throw withWait(error);
      yield { type: 'retry', attempt, delayMs, error, hasShown };
      await sleep(delayMs, signal);
    }
  }
}

const BRIEF_ATTEMPTS = 3;
const BRIEF_DELAY_MS = 1_000;

/** A server that nobody has started is told of within seconds; one that is just starting is waited for. */
function briefly(options: RetryOptions): RetryOptions {
  const { maxAttempts = BRIEF_ATTEMPTS, baseDelayMs = BRIEF_DELAY_MS } = options;
  return {
    ...options,
    maxAttempts: Math.min(maxAttempts, BRIEF_ATTEMPTS),
    baseDelayMs: Math.min(baseDelayMs, BRIEF_DELAY_MS),
  };
}

/** Tools have run in this turn, maybe with a message of the person behind them: it would be a pity to end it. */
function isMidTurn({ messages }: ModelRequest): boolean {
  return messages.slice(-2).some(({ role }) => role === 'tool');
}

/** The person hears how patient we were. */
function withTries(error: ModelError, tries: number): ModelError {
  return worded(error, `${error.message} It was tried ${tries} times.`);
}

function withWait(error: ModelError): ModelError {
  const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1000);
  return worded(error, `${error.message} It asks to be left alone for ${seconds} s.`);
}

function worded(error: ModelError, message: string): ModelError {
  const { code, status, retryAfterMs, isRetryable, isDown } = error;
  return new ModelError(code, message, {
    cause: error,
    isRetryable,
    isDown,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** Up to a quarter shorter, so that not all come back at one moment; never earlier than the provider asks. Undefined: too long to wait. */
function delayFor(error: ModelError, attempt: number, options: RetryOptions): number | undefined {
  const { baseDelayMs = 2_000, maxDelayMs = 30_000, maxRetryAfterMs = 60_000, random = Math.random } = options;
  const asked = error.retryAfterMs ?? 0;
  if (asked > maxRetryAfterMs) return undefined;
  const wait = backoffMs(attempt, { firstMs: baseDelayMs, maxMs: maxDelayMs, spread: [1, 0.75], random });
  return Math.max(asked, Math.round(wait));
}

async function abortableSleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(delayMs, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
