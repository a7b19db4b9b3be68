import { ModelError } from '../model/errors.ts';
import { wellFormed } from '../text.ts';
import { type Fetch, type HttpAnswer, openAnswer, readText } from './http-answer.ts';
import { errorFromAnswer } from './http-error.ts';
import { isLoopback } from './loopback.ts';
import { isConnectionRefused, networkReason } from './network-reason.ts';
import { type AnswerEvent, readEvents } from './read-events.ts';

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface StreamLimits {
  /** Longest wait for the first byte; a local server may be loading the model. Default: 5 minutes. */
  readonly firstByteTimeoutMs?: number;
  /** Longest silence once the answer has begun. Default: 90 seconds. */
  readonly stallTimeoutMs?: number;
}

export interface EventStreamOptions extends StreamLimits {
  /** The name of the model, for error messages. */
  readonly modelName: string;
  readonly request: HttpRequest;
  /** What to do when nothing listens at its address, as a sentence. */
  readonly whenDown?: string;
  readonly fetch?: Fetch;
  readonly signal?: AbortSignal | undefined;
}

export const DEFAULT_FIRST_BYTE_TIMEOUT_MS = 300_000;
export const DEFAULT_STALL_TIMEOUT_MS = 90_000;
const MAX_PLAIN_BODY_BYTES = 4 * 1024 * 1024;
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/**
 * Posts a request and yields the server-sent events of its answer, those that arrived together as one list. A server
 * that ignores `stream: true` and answers with one JSON document yields one event of type `json`. The request is cancelled
 * at once when the signal fires and when the consumer leaves; every other failure is a `ModelError`.
 */
export async function* openEventStream(
  options: EventStreamOptions,
): AsyncGenerator<readonly AnswerEvent[], void, undefined> {
  const { modelName, request, fetch, signal } = options;
  const { firstByteTimeoutMs = DEFAULT_FIRST_BYTE_TIMEOUT_MS, stallTimeoutMs = DEFAULT_STALL_TIMEOUT_MS } = options;
  signal?.throwIfAborted();
  const watch = watchSilence(modelName, signal);
  let answer: HttpAnswer | undefined;
  try {
    watch.expect(firstByteTimeoutMs);
    answer = await openAnswer({
      url: request.url,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...request.headers },
      body: toJson(request.body),
      fetch,
      signal: watch.signal,
    });
    const read = watchedRead(answer, watch, { firstByteTimeoutMs, stallTimeoutMs });
    if (answer.status >= 300 && answer.status < 400) throw redirected(modelName, request.url);
    if (!answer.isOk) throw await refusal(answer, read, modelName);
    const contentType = answer.headers.get('content-type') ?? '';
    if (/\bjson\b/.test(contentType)) {
      yield [{ type: 'json', data: await readText(read, MAX_PLAIN_BODY_BYTES) }];
      return;
    }
    if (/\bhtml\b/.test(contentType)) throw notAnApi(modelName, request.url);
    yield* readEvents(read);
  } catch (error) {
    signal?.throwIfAborted();
    throw watch.verdict() ?? translate(error, options);
  } finally {
    watch.end();
    answer?.close();
  }
}

/** The watch rests while the consumer works: a slow reader is no silent server. */
function watchedRead({ read }: HttpAnswer, watch: SilenceWatch, limits: Required<StreamLimits>): HttpAnswer['read'] {
  let timeoutMs = limits.firstByteTimeoutMs;
  return async () => {
    watch.expect(timeoutMs);
    timeoutMs = limits.stallTimeoutMs;
    try {
      return await read();
    } finally {
      watch.rest();
    }
  };
}

/** JSON writes half of a surrogate pair as an escape, which providers refuse as no text; a whole pair it writes as it is. */
function toJson(body: unknown): string {
  const json = JSON.stringify(body);
  if (!json.includes('\\ud')) return json;
  return JSON.stringify(body, (_, value: unknown) => (typeof value === 'string' ? wellFormed(value) : value));
}

interface SilenceWatch {
  readonly signal: AbortSignal;
  /** Starts the wait for the next bytes anew. */
  expect(timeoutMs: number): void;
  /** Nothing is awaited for now. */
  rest(): void;
  /** The error, when silence was the reason. */
  verdict(): ModelError | undefined;
  /** Stops the timer and cancels whatever is still under way. */
  end(): void;
}

/** One controller for both reasons to stop; `AbortSignal.any` is not used, since its result can be collected as garbage. */
function watchSilence(modelName: string, outer: AbortSignal | undefined): SilenceWatch {
  const controller = new AbortController();
  const stop = (): void => controller.abort(outer?.reason);
  outer?.addEventListener('abort', stop, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stalled: ModelError | undefined;
  return {
    signal: controller.signal,
    expect(timeoutMs) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        stalled = new ModelError(
          'stalled',
          `${modelName} sent nothing for ${timeoutMs / 1000} s; the request was cancelled.`,
        );
        controller.abort(stalled);
      }, timeoutMs);
    },
    rest: () => clearTimeout(timer),
    verdict: () => stalled,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', stop);
      controller.abort();
    },
  };
}

async function refusal(answer: HttpAnswer, read: HttpAnswer['read'], modelName: string): Promise<ModelError> {
  const body = await readText(read, MAX_ERROR_BODY_BYTES);
  const retryAfter = answer.headers.get('retry-after') ?? undefined;
  return errorFromAnswer({ modelName, status: answer.status, body, retryAfter });
}

function redirected(modelName: string, url: string): ModelError {
  return new ModelError(
    'protocol',
    `${modelName}: ${originOf(url)} answered with a redirect, which is not followed; set the base URL to where it leads.`,
  );
}

function notAnApi(modelName: string, url: string): ModelError {
  return new ModelError(
    'protocol',
    `${modelName}: ${originOf(url)} answered with a web page; check the base URL of the model.`,
  );
}

const START_IT = 'Start the server there, or set another base URL.';

function translate(error: unknown, { modelName, request, whenDown = START_IT }: EventStreamOptions): unknown {
  if (error instanceof ModelError) return error;
  if (isLoopback(request.url) && isConnectionRefused(error)) {
    const message = `Nothing listens at ${originOf(request.url)}, where ${modelName} should be. ${whenDown}`;
    return new ModelError('network', message, { cause: error, isDown: true });
  }
  if (error instanceof RangeError) {
    return new ModelError('protocol', `${modelName} answered something that makes no sense: ${error.message}.`, {
      cause: error,
    });
  }
  return new ModelError(
    'network',
    `The connection to ${modelName} at ${originOf(request.url)} failed: ${networkReason(error)}.`,
    { cause: error },
  );
}

/** Paths and queries may carry secrets; the origin is enough to find the culprit. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'an unreadable address';
}
