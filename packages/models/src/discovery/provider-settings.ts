import type { ModelPrice } from '../model/cost.ts';
import type { ThinkingLevel } from '../model/model.ts';
import type { WireFormatName } from './wire-formats.ts';

/** Words for a wire format as people write them, besides its own name. */
export const WIRE_WORDS: Readonly<Record<string, WireFormatName>> = {
  openai: 'openai-chat',
  chat: 'openai-chat',
  ollama: 'openai-chat',
  responses: 'openai-responses',
};

/** What a model reads besides text. */
export type InputKind = 'text' | 'image' | 'audio' | 'pdf';

/** What a person says of one model; it counts before what its server and the catalog say. */
export interface ModelSettings {
  readonly name?: string;
  /** In tokens. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** The levels that can be chosen; empty where thinking cannot. */
  readonly thinking?: readonly ThinkingLevel[];
  readonly input?: readonly InputKind[];
  readonly price?: Pick<ModelPrice, 'input' | 'output' | 'cachedInput' | 'cacheWrite'>;
}

/** A provider or a server as a person describes it. One with the name of a ready provider takes the rest from that. */
export interface ProviderSettings {
  /** For people. Default: the name. */
  readonly title?: string;
  /** A wire format, or one of `openai` (chat completions), `responses`, `ollama`. Default: `openai`. */
  readonly wire?: string;
  readonly baseUrl?: string;
  /** The key itself, for programs; files have `keyEnv` instead. */
  readonly apiKey?: string;
  /** The variable that holds the key. */
  readonly keyEnv?: string;
  /** The header that takes the key as it is. Default: what the wire format has. `authorization` takes it as a bearer token. */
  readonly keyHeader?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to every address, such as Azure's `api-version`. */
  readonly query?: Readonly<Record<string, string>>;
  readonly models?: Readonly<Record<string, ModelSettings>>;
  /** Whether it is asked which models it has. Default: true, unless its models are described. */
  readonly lists?: boolean;
}

export type ProvidersSettings = Readonly<Record<string, ProviderSettings>>;
