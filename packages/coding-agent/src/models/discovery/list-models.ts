import { type AnswerRequest, openAnswer, readText } from '../http/http-answer.ts';
import { joinUrl } from '../http/http-model.ts';
import { asObject, type JsonObject, numberAt, objectAt, objectsAt, stringAt, tryParseJson } from '../http/json.ts';
import { WIRE_FORMATS } from '../wire-formats.ts';
import type { Endpoint } from './endpoint.ts';
import { type ModelOffer, offerModel } from './offer.ts';

export interface ListOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_LIST_BYTES = 8 * 1024 * 1024;
const MAX_LISTED_MODELS = 500;

/** Asks a server for its models. Never throws: a server that is not there, slow or something else offers nothing. */
export async function listModels(endpoint: Endpoint, options: ListOptions): Promise<readonly ModelOffer[]> {
  const { wire, baseUrl, listUrl } = endpoint;
  const { list } = WIRE_FORMATS[wire];
  const headers = endpoint.apiKey ? list.headers(endpoint.apiKey) : {};
  const body = await getJson(listUrl ?? joinUrl(baseUrl, list.path), { headers, fetch: endpoint.fetch }, options);
  return modelsIn(body)
    .slice(0, MAX_LISTED_MODELS)
    .map(({ model, contextWindow }) => offerModel(endpoint, model, contextWindow));
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

interface ListedModel {
  readonly model: string;
  readonly contextWindow: number | undefined;
}

/** `{data: [{id}]}` as OpenAI and Anthropic have it, or `{models: [{name}]}` as Ollama and Gemini do; anything else is some other program on that port. */
function modelsIn(body: unknown): readonly ListedModel[] {
  const list = asObject(body);
  const entries = [...objectsAt(list, 'data'), ...objectsAt(list, 'models')];
  const seen = new Set<string>();
  return entries.flatMap((entry): readonly ListedModel[] => {
    // Gemini's names are paths: `models/gemini-3-pro`.
    const model = (stringAt(entry, 'id') ?? stringAt(entry, 'name') ?? '').replace(/^models\//, '');
    if (model === '' || seen.has(model) || /embed/i.test(model)) return [];
    seen.add(model);
    return [{ model, contextWindow: contextWindowOf(entry) }];
  });
}

/** vLLM, OpenRouter and llama.cpp each have their own word for it. */
function contextWindowOf(entry: JsonObject): number | undefined {
  const meta = objectAt(entry, 'meta');
  return (
    numberAt(entry, 'max_model_len') ??
    numberAt(entry, 'context_length') ??
    numberAt(meta, 'n_ctx') ??
    numberAt(meta, 'n_ctx_train')
  );
}
