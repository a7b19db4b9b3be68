import { asObject, type JsonObject, numberAt, objectAt, objectsAt, stringAt } from '../http/json.ts';
import type { ModelPrice } from '../model/cost.ts';
import type { ModelFacts } from './model-facts.ts';

/** One model as a server's list has it. */
export interface ListedModel extends ModelFacts {
  readonly model: string;
}

/** What is no model to talk to, by its name. */
const OTHER_KINDS =
  /embed|whisper|tts|dall-e|moderation|transcri|realtime|rerank|imagen|image|veo-|sora|lyria|-ocr|davinci|babbage|guard/i;

/** `{data: [{id}]}` as OpenAI and Anthropic have it, or `{models: [{name}]}` as Ollama and Gemini do; anything else is some other program on that port. */
export function readModelList(body: unknown): readonly ListedModel[] {
  const list = asObject(body);
  const entries = [...objectsAt(list, 'data'), ...objectsAt(list, 'models')];
  const seen = new Set<string>();
  return entries.flatMap((entry): readonly ListedModel[] => {
    // Gemini's names are paths: `models/gemini-3-pro`.
    const model = (stringAt(entry, 'id') ?? stringAt(entry, 'name') ?? '').replace(/^models\//, '');
    if (model === '' || seen.has(model) || OTHER_KINDS.test(model) || !canTalk(entry)) return [];
    seen.add(model);
    return [{ model, ...factsOf(entry) }];
  });
}

/** Gemini, OpenRouter, Mistral and Groq say what each of theirs can do. */
function canTalk(entry: JsonObject): boolean {
  const methods = entry.supportedGenerationMethods;
  if (Array.isArray(methods) && !methods.includes('generateContent')) return false;
  // An agent is of no use on a model without tools.
  const parameters = entry.supported_parameters;
  if (Array.isArray(parameters) && !parameters.includes('tools')) return false;
  return objectAt(entry, 'capabilities')?.completion_chat !== false && entry.active !== false;
}

/** Each server has words of its own for the same few facts. */
function factsOf(entry: JsonObject): ModelFacts {
  const meta = objectAt(entry, 'meta');
  const contextWindow = firstNumber(
    ...[
      'max_model_len',
      'context_length',
      'context_window',
      'max_context_length',
      'inputTokenLimit',
      'max_input_tokens',
    ].map((key) => numberAt(entry, key)),
    numberAt(meta, 'n_ctx'),
    numberAt(meta, 'n_ctx_train'),
  );
  const maxOutputTokens = firstNumber(
    ...['max_completion_tokens', 'outputTokenLimit', 'max_tokens'].map((key) => numberAt(entry, key)),
    numberAt(objectAt(entry, 'top_provider'), 'max_completion_tokens'),
  );
  const price = priceOf(objectAt(entry, 'pricing'));
  const name = stringAt(entry, 'display_name') ?? stringAt(entry, 'displayName');
  const accepts = acceptsOf(entry);
  return {
    ...(name && { name }),
    ...(contextWindow && { contextWindow }),
    ...(maxOutputTokens && { maxOutputTokens }),
    ...(price && { price }),
    ...(accepts && { accepts }),
  };
}

function firstNumber(...numbers: readonly (number | undefined)[]): number | undefined {
  return numbers.find((number) => number !== undefined && number > 0);
}

/** OpenRouter's prices: dollars for one token, as text. */
function priceOf(pricing: JsonObject | undefined): ModelPrice | undefined {
  const of = (key: string): number | undefined => {
    const dollars = Number(stringAt(pricing, key) ?? Number.NaN) * 1_000_000;
    return Number.isFinite(dollars) && dollars >= 0 ? Math.round(dollars * 1e6) / 1e6 : undefined;
  };
  const [input, output, cachedInput, cacheWrite] = [
    of('prompt'),
    of('completion'),
    of('input_cache_read'),
    of('input_cache_write'),
  ];
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    output,
    ...(cachedInput !== undefined && { cachedInput }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

/** OpenRouter has a list of inputs, Mistral and Kimi a switch. */
function acceptsOf(entry: JsonObject): ModelFacts['accepts'] | undefined {
  const inputs = objectAt(entry, 'architecture')?.input_modalities;
  if (Array.isArray(inputs)) return { images: inputs.includes('image'), audio: inputs.includes('audio') };
  const vision = objectAt(entry, 'capabilities')?.vision ?? entry.supports_image_in;
  return typeof vision === 'boolean' ? { images: vision, audio: false } : undefined;
}
