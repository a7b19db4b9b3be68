import { askJson } from '../http/ask-json.ts';
import { asObject, numberAt, objectsAt, stringAt } from '../http/json.ts';
import type { Model, ModelEvent } from '../model/model.ts';
import type { Endpoint } from './endpoint.ts';

/** How long the server may take to say it. */
const TIMEOUT_MS = 1000;
/** A server that has not said it by then never will. */
const MAX_QUESTIONS = 3;

/**
 * A model of Ollama whose window the server tells once it has the model loaded: it is neither in its list of models nor what the
 * model was made for, but what this server was set up with.
 */
export function withOllamaWindow(model: Model, endpoint: Endpoint, name: string): Model {
  let contextWindow = model.contextWindow;
  let questions = 0;
  return {
    ...model,
    get contextWindow() {
      return contextWindow;
    },
    async *stream(request, options): AsyncGenerator<ModelEvent, void, undefined> {
      for await (const event of model.stream(request, options)) {
        if (event.type === 'stop' && contextWindow === undefined && questions++ < MAX_QUESTIONS) {
          contextWindow = await askWindow(endpoint, name, options?.signal);
        }
        yield event;
      }
    },
  };
}

/** What the model is loaded with, else what its own file asks for. */
async function askWindow(
  endpoint: Endpoint,
  name: string,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  const { baseUrl, apiKey, headers, fetch } = endpoint;
  const server = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
  const access = { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers };
  const options = { timeoutMs: TIMEOUT_MS, signal };
  const running = asObject(await askJson({ url: `${server}/api/ps`, headers: access, fetch }, options));
  const loaded = objectsAt(running, 'models').find((each) =>
    [stringAt(each, 'name'), stringAt(each, 'model')].some((known) => known === name || known === `${name}:latest`),
  );
  const size = numberAt(loaded, 'context_length');
  if (size !== undefined && size > 0) return size;
  const request = { url: `${server}/api/show`, headers: { 'content-type': 'application/json', ...access }, fetch };
  const shown = asObject(await askJson({ ...request, body: JSON.stringify({ model: name }) }, options));
  const [, asked] = /^num_ctx\s+(\d+)/m.exec(stringAt(shown, 'parameters') ?? '') ?? [];
  return asked === undefined ? undefined : Number(asked);
}
