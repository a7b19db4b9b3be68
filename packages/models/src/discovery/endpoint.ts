import type { Fetch } from '../http/http-answer.ts';
import type { ChatDialect } from '../wires/openai-chat/chat-request.ts';
import type { ModelFacts } from './model-facts.ts';
import type { WireFormatName } from './wire-formats.ts';

/** Why a model is offered: the person's settings, a key in the environment, a server found on this machine, or built in. */
export type OfferOrigin = 'settings' | 'environment' | 'local' | 'built-in';

/** A server that holds models, and how to get in. The key stays in the closure of the offers made from it. */
export interface Endpoint {
  readonly provider: string;
  /** For people: `Anthropic`, `Ollama`. */
  readonly label: string;
  readonly wire: WireFormatName;
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly dialect?: ChatDialect;
  readonly origin: OfferOrigin;
  /** Where the person has set its address: a variable, or a key of the settings. */
  readonly addressFrom?: string;
  /** Models that it is known to have. Default: none, it has to be asked. */
  readonly models?: readonly string[];
  /** What the person says of its models. */
  readonly described?: Readonly<Record<string, ModelFacts>>;
  /** Those of its models to begin with, where it lists many. */
  readonly usual?: RegExp;
  /** Whether it is asked which models it has. */
  readonly lists: boolean;
  /** Where it lists its models, when that is not where its wire format has it. */
  readonly listUrl?: string;
  readonly fetch?: Fetch;
}

const OLLAMA_PORT = '11434';

/** Whether it is Ollama, wherever the person has it from. */
export function isOllama({ provider, baseUrl }: Pick<Endpoint, 'provider' | 'baseUrl'>): boolean {
  return provider === 'ollama' || (URL.canParse(baseUrl) && new URL(baseUrl).port === OLLAMA_PORT);
}
