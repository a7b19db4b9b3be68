import type { ModelPrice } from '../model/cost.ts';
import type { AcceptedContent, Model, ThinkingLevel } from '../model/model.ts';
import type { RetryOptions } from '../model/retry.ts';
import { findKnownModel } from './catalog.ts';
import { type Endpoint, isOllama, type OfferOrigin } from './endpoint.ts';
import { factsOfKnown, joinFacts, type ModelFacts } from './model-facts.ts';
import { wordWhenDown } from './start-words.ts';
import { WIRE_FORMATS } from './wire-formats.ts';

/** A model that could be used; nothing is loaded or contacted before `create`. */
export interface ModelOffer {
  /** `<provider>/<model>`, or `offline`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly provider: string;
  readonly origin: OfferOrigin;
  readonly contextWindow: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly price: ModelPrice | undefined;
  /** The levels that can be chosen; undefined where nobody knows. */
  readonly thinkingLevels?: readonly ThinkingLevel[] | undefined;
  readonly accepts?: AcceptedContent | undefined;
  create(retry?: RetryOptions): Promise<Model>;
}

/** Offers one model of an endpoint, with what the person, its server and the catalog say about it. */
export function offerModel(endpoint: Endpoint, model: string, listed?: ModelFacts): ModelOffer {
  const { provider, label, origin, wire, dialect, baseUrl, apiKey, headers, query, fetch } = endpoint;
  const known = findKnownModel(provider, model);
  const said = endpoint.described?.[model];
  // The catalog has names for people and prices; sizes are known best by the server.
  const { name: listedName, ...sizes } = listed ?? {};
  const facts = joinFacts(said, sizes, known && factsOfKnown(known), listedName ? { name: listedName } : undefined);
  const id = `${provider}/${model}`;
  const { name = model, contextWindow, maxOutputTokens, price, thinkingLevels, accepts } = facts;
  return {
    id,
    name,
    description: `${label}, ${model}`,
    provider,
    origin,
    contextWindow,
    maxOutputTokens,
    price,
    thinkingLevels,
    accepts,
    create: async (retry) => {
      const http = {
        id,
        name,
        model,
        baseUrl,
        ...(apiKey !== undefined && { apiKey }),
        ...(headers && { headers }),
        ...(query && { query }),
        ...(fetch && { fetch }),
        ...(contextWindow !== undefined && { contextWindow }),
        ...(accepts && { accepts }),
        ...(thinkingLevels && { thinkingLevels }),
        whenDown: wordWhenDown(endpoint),
        // A server of one's own is told only what the person says of it.
        ...(said?.maxOutputTokens !== undefined && { maxOutputTokens: said.maxOutputTokens }),
      };
      const [created, { withRetries }] = await Promise.all([
        WIRE_FORMATS[wire].create({ http, known, dialect }),
        import('../model/retry.ts'),
      ]);
      if (contextWindow !== undefined || !isOllama(endpoint)) return withRetries(created, retry);
      const { withOllamaWindow } = await import('./ollama-window.ts');
      return withRetries(withOllamaWindow(created, endpoint, model), retry);
    },
  };
}
