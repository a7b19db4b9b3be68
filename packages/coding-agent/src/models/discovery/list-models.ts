import { type AnswerRequest, openAnswer, readText } from '../http/http-answer.ts';
import { joinUrl, withQuery } from '../http/http-model.ts';
import { tryParseJson } from '../http/json.ts';
import { WIRE_FORMATS } from '../wire-formats.ts';
import type { Endpoint } from './endpoint.ts';
import { type ListedModel, readModelList } from './listed-models.ts';

export interface ListOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_LIST_BYTES = 8 * 1024 * 1024;
const MAX_LISTED_MODELS = 500;

/** Asks a server for its models. Never throws: a server that is not there, slow or something else offers nothing. */
export async function listModels(endpoint: Endpoint, options: ListOptions): Promise<readonly ListedModel[]> {
  const { wire, baseUrl, listUrl, apiKey, query } = endpoint;
  const { list } = WIRE_FORMATS[wire];
  const headers = { ...list.fixedHeaders, ...(apiKey ? list.headers(apiKey) : {}), ...endpoint.headers };
  const url = withQuery(listUrl ?? joinUrl(baseUrl, list.path), query);
  const body = await getJson(url, { headers, fetch: endpoint.fetch }, options);
  const models = readModelList(body);
  const { usual } = endpoint;
  const first = usual ? models.filter(({ model }) => usual.test(model)) : [];
  return [...first, ...models.filter((each) => !first.includes(each))].slice(0, MAX_LISTED_MODELS);
}

async function getJson(
  url: string,
  { headers, fetch }: Pick<AnswerRequest, 'headers' | 'fetch'>,
  options: ListOptions,
): Promise<unknown> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const timer = setTimeout(stop, options.timeoutMs);
  options.signal?.addEventListener('abort', stop, { once: true });
  try {
    options.signal?.throwIfAborted();
    const answer = await openAnswer({ url, method: 'GET', headers, fetch, signal: controller.signal });
    if (!answer.isOk) return undefined;
    const text = await readText(answer.read, MAX_LIST_BYTES + 1);
    return text.length > MAX_LIST_BYTES ? undefined : tryParseJson(text);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', stop);
    // Closes the connection of an answer that was not read to its end.
    stop();
  }
}
