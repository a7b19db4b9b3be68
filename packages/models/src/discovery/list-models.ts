import { type AskJsonOptions, askJson } from '../http/ask-json.ts';
import { joinUrl, withQuery } from '../http/http-model.ts';
import type { Endpoint } from './endpoint.ts';
import { type ListedModel, readModelList } from './listed-models.ts';
import { WIRE_FORMATS } from './wire-formats.ts';

export type ListOptions = AskJsonOptions;

const MAX_LISTED_MODELS = 500;

/** Asks a server for its models. Never throws: a server that is not there, slow or something else offers nothing. */
export async function listModels(endpoint: Endpoint, options: ListOptions): Promise<readonly ListedModel[]> {
  const { wire, baseUrl, listUrl, apiKey, query } = endpoint;
  const { list } = WIRE_FORMATS[wire];
  const headers = { ...list.fixedHeaders, ...(apiKey ? list.headers(apiKey) : {}), ...endpoint.headers };
  const url = withQuery(listUrl ?? joinUrl(baseUrl, list.path), query);
  const body = await askJson({ url, headers, fetch: endpoint.fetch }, options);
  const models = readModelList(body);
  const { usual } = endpoint;
  const first = usual ? models.filter(({ model }) => usual.test(model)) : [];
  return [...first, ...models.filter((each) => !first.includes(each))].slice(0, MAX_LISTED_MODELS);
}
