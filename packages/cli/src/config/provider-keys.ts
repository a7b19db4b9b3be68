import type { Field, Shape } from '@parley/host/json-files';
import type { ModelSettings, ProviderSettings } from '@parley/models/discovery';

/** One provider of a settings file: a key is named there, never written. */
export interface ProviderConfig extends Omit<ProviderSettings, 'apiKey' | 'models'> {
  readonly keyFile?: string;
  /** Names alone, or with what is known of each. */
  readonly models?: readonly string[] | Readonly<Record<string, ModelSettings>>;
}

const TEXT: Shape = { type: 'string' };
const TEXTS: Shape = { type: 'map', values: TEXT };
const NUMBER: Shape = { type: 'number' };
const text = (says: string): Field => ({ shape: TEXT, says });
const dollars = (says: string): Field => ({ shape: NUMBER, says: `${says}, in US dollars for a million tokens` });

const MODEL: Shape = {
  type: 'object',
  fields: {
    name: text('its name for people'),
    contextWindow: { shape: NUMBER, says: 'how many tokens it takes at once' },
    maxOutputTokens: { shape: NUMBER, says: 'how many tokens one answer may have' },
    thinking: {
      shape: { type: 'list', items: { type: 'choice', values: ['off', 'low', 'medium', 'high', 'max'] } },
      says: 'the levels of thinking that it has; empty where it cannot be chosen',
    },
    input: {
      shape: { type: 'list', items: { type: 'choice', values: ['text', 'image', 'audio', 'pdf'] } },
      says: 'what it reads',
    },
    price: {
      shape: {
        type: 'object',
        fields: {
          input: dollars('what it reads'),
          output: dollars('what it writes'),
          cachedInput: dollars('what it reads from the cache'),
          cacheWrite: dollars('what it writes to the cache'),
        },
      },
      says: 'what it costs',
    },
  },
};

/** One entry of the key `providers` of a settings file. */
export const PROVIDER: Shape = {
  type: 'object',
  fields: {
    title: text('its name for people'),
    wire: {
      shape: {
        type: 'choice',
        values: ['anthropic', 'openai', 'responses', 'gemini', 'ollama', 'openai-chat', 'openai-responses'],
      },
      says: 'how it is spoken to; openai is chat completions, which most servers understand',
    },
    baseUrl: text('its address, up to the version: https://host/v1'),
    keyEnv: text('the environment variable that has the key'),
    keyFile: text('a file that has the key, from the folder of the settings or from ~/'),
    keyHeader: text(
      'the header that takes the key, where it is another than usual: api-key, or authorization for a bearer token',
    ),
    headers: { shape: TEXTS, says: 'headers of every request, with variables as in .mcp.json' },
    query: { shape: TEXTS, says: "parameters of every address, such as Azure's api-version" },
    models: {
      shape: {
        type: 'either',
        shapes: [
          { type: 'list', items: TEXT },
          { type: 'map', values: MODEL },
        ],
      },
      says: 'its models, by name, with what is known of them; it is asked where they are left out',
    },
    lists: { shape: { type: 'boolean' }, says: 'whether it is asked which models it has' },
  },
};
