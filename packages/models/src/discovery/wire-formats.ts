import type { HttpModelOptions } from '../http/http-model.ts';
import type { Model } from '../model/model.ts';
import type { ChatDialect } from '../wires/openai-chat/chat-request.ts';
import { claudeThinkingOf, type KnownModel } from './catalog.ts';

export type WireFormatName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

/** How a server is spoken to: how a model behind it is created, and how it is asked which models it has. */
export interface WireFormat {
  /** Loads the driver, and only this one: starting up must stay cheap. */
  create(options: CreateModelOptions): Promise<Model>;
  readonly list: {
    /** Joined to the base URL. */
    readonly path: string;
    headers(apiKey: string): Readonly<Record<string, string>>;
    /** Sent with any kind of key, and with none. */
    readonly fixedHeaders?: Readonly<Record<string, string>>;
  };
}

export interface CreateModelOptions {
  readonly http: HttpModelOptions;
  /** What the catalog knows about the model. */
  readonly known: KnownModel | undefined;
  readonly dialect: ChatDialect | undefined;
}

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

/** Every wire format, by the name that `PARLEY_WIRE` has for it. A new one is a folder of src and a row here. */
export const WIRE_FORMATS: Readonly<Record<WireFormatName, WireFormat>> = {
  'openai-chat': {
    list: { path: '/models', headers: bearer },
    async create({ http, dialect }) {
      const { createOpenAiChatModel } = await import('../wires/openai-chat/openai-chat.ts');
      return createOpenAiChatModel({ ...http, ...(dialect && { dialect }) });
    },
  },
  'openai-responses': {
    list: { path: '/models', headers: bearer },
    async create({ http }) {
      const { createOpenAiResponsesModel } = await import('../wires/openai-responses/openai-responses.ts');
      return createOpenAiResponsesModel(http);
    },
  },
  anthropic: {
    list: {
      path: '/v1/models?limit=1000',
      headers: (apiKey) => ({ 'x-api-key': apiKey }),
      fixedHeaders: { 'anthropic-version': '2023-06-01' },
    },
    async create({ http, known }) {
      const { createAnthropicModel } = await import('../wires/anthropic/anthropic.ts');
      const thinking = known?.thinking ?? claudeThinkingOf(http.model);
      return createAnthropicModel({
        ...http,
        ...(thinking !== undefined && thinking !== 'level' && { thinking }),
        ...(known?.maxOutputTokens !== undefined && { maxOutputTokens: known.maxOutputTokens }),
      });
    },
  },
  gemini: {
    list: { path: '/v1beta/models?pageSize=1000', headers: (apiKey) => ({ 'x-goog-api-key': apiKey }) },
    async create({ http, known }) {
      const { createGeminiModel } = await import('../wires/gemini/gemini.ts');
      return createGeminiModel({ ...http, ...(known?.thinking === 'budget' && { thinking: 'budget' }) });
    },
  },
};

export function isWireFormatName(name: string): name is WireFormatName {
  return Object.hasOwn(WIRE_FORMATS, name);
}
