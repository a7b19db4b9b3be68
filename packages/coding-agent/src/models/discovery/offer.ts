import type { Fetch } from '../http/http-answer.ts';
import type { Model } from '../model.ts';
import { claudeThinkingOf, findKnownModel, type KnownModel, type ModelPrice } from './catalog.ts';

/** How a server wants to be spoken to. */
export type WireFormat = 'anthropic' | 'gemini' | 'openai-chat' | 'openai-responses';

/** Why a model is offered: a key in the environment, a server found on this machine, or built in. */
export type OfferOrigin = 'environment' | 'local' | 'built-in';

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
  create(): Promise<Model>;
}

/** A server that holds models, and how to get in. The key stays in the closure of the offers made from it. */
export interface Endpoint {
  readonly provider: string;
  /** For people: `Anthropic`, `Ollama`. */
  readonly label: string;
  readonly wire: WireFormat;
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly dialect?: 'openai' | 'openrouter' | 'compatible';
  readonly origin: OfferOrigin;
  readonly fetch?: Fetch;
}

/** Offers one model of an endpoint, with what the catalog knows about it. */
export function offerModel(endpoint: Endpoint, model: string, contextWindow?: number): ModelOffer {
  const known = findKnownModel(endpoint.provider, model);
  const id = `${endpoint.provider}/${model}`;
  const name = known?.name ?? model;
  return {
    id,
    name,
    description: `${endpoint.label}, ${model}`,
    provider: endpoint.provider,
    origin: endpoint.origin,
    contextWindow: contextWindow ?? known?.contextWindow,
    price: known?.price,
    create: async () => {
      const window = contextWindow ?? known?.contextWindow;
      const [created, { withRetries }] = await Promise.all([
        createModel(endpoint, { id, name, model, known, contextWindow: window }),
        import('../retry.ts'),
      ]);
      return withRetries(created);
    },
  };
}

interface ModelToCreate {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  readonly known: KnownModel | undefined;
  readonly contextWindow: number | undefined;
}

/** Only the driver that is needed is loaded: starting up must stay cheap. */
async function createModel(
  endpoint: Endpoint,
  { id, name, model, known, contextWindow }: ModelToCreate,
): Promise<Model> {
  const { baseUrl, apiKey, fetch } = endpoint;
  const options = {
    id,
    name,
    model,
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(fetch === undefined ? {} : { fetch }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(known === undefined ? {} : { thinkingLevels: known.thinkingLevels }),
  };
  switch (endpoint.wire) {
    case 'anthropic': {
      const { createAnthropicModel } = await import('../anthropic/anthropic.ts');
      const thinking = known?.thinking ?? claudeThinkingOf(model);
      return createAnthropicModel({
        ...options,
        ...(thinking === undefined || thinking === 'level' ? {} : { thinking }),
        ...(known?.maxOutputTokens === undefined ? {} : { maxOutputTokens: known.maxOutputTokens }),
      });
    }
    case 'gemini': {
      const { createGeminiModel } = await import('../gemini/gemini.ts');
      return createGeminiModel({ ...options, ...(known?.thinking === 'budget' ? { thinking: 'budget' } : {}) });
    }
    case 'openai-responses': {
      const { createOpenAiResponsesModel } = await import('../openai-responses/openai-responses.ts');
      return createOpenAiResponsesModel(options);
    }
    case 'openai-chat': {
      const { createOpenAiChatModel } = await import('../openai-chat/openai-chat.ts');
      return createOpenAiChatModel({
        ...options,
        ...(endpoint.dialect === undefined ? {} : { dialect: endpoint.dialect }),
      });
    }
  }
}
