import type { Model } from '../model.ts';
import type { RetryOptions } from '../retry.ts';
import { WIRE_FORMATS } from '../wire-formats.ts';
import { findKnownModel, type ModelPrice } from './catalog.ts';
import type { Endpoint, OfferOrigin } from './endpoint.ts';

/** A model that could be used; nothing is loaded or contacted before `create`. */
export interface ModelOffer {
  /** `<provider>/<model>`, or `offline`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly provider: string;
  readonly origin: OfferOrigin;
  readonly contextWindow: number | undefined;
  readonly price: ModelPrice | undefined;
  create(retry?: RetryOptions): Promise<Model>;
}

/** Offers one model of an endpoint, with what the catalog knows about it. */
export function offerModel(endpoint: Endpoint, model: string, listedWindow?: number): ModelOffer {
  const { provider, label, origin, wire, dialect, baseUrl, apiKey, fetch } = endpoint;
  const known = findKnownModel(provider, model);
  const id = `${provider}/${model}`;
  const name = known?.name ?? model;
  const contextWindow = listedWindow ?? known?.contextWindow;
  return {
    id,
    name,
    description: `${label}, ${model}`,
    provider,
    origin,
    contextWindow,
    price: known?.price,
    create: async (retry) => {
      const http = {
        id,
        name,
        model,
        baseUrl,
        ...(apiKey !== undefined && { apiKey }),
        ...(fetch && { fetch }),
        ...(contextWindow !== undefined && { contextWindow }),
        ...(known && { thinkingLevels: known.thinkingLevels }),
      };
      const [created, { withRetries }] = await Promise.all([
        WIRE_FORMATS[wire].create({ http, known, dialect }),
        import('../retry.ts'),
      ]);
      return withRetries(created, retry);
    },
  };
}
