import { type AnswerRequest, openAnswer, readText } from './http-answer.ts';
import { tryParseJson } from './json.ts';

export interface AskJsonOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Asks a server for a JSON document; with a body it is posted. Never throws: undefined when there is none, for whatever reason. */
export async function askJson(
  request: Pick<AnswerRequest, 'url' | 'headers' | 'body' | 'fetch'>,
  { timeoutMs, signal }: AskJsonOptions,
): Promise<unknown> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const timer = setTimeout(stop, timeoutMs);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    const method = request.body === undefined ? 'GET' : 'POST';
    const answer = await openAnswer({ ...request, method, signal: controller.signal });
    if (!answer.isOk) return undefined;
    const text = await readText(answer.read, MAX_ANSWER_BYTES + 1);
    return text.length > MAX_ANSWER_BYTES ? undefined : tryParseJson(text);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    // Closes the connection of an answer that was not read to its end.
    stop();
  }
}
