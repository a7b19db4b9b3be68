import { createHttpModel, type HttpModelOptions, joinUrl } from '../../http/http-model.ts';
import type { Model } from '../../model/model.ts';
import { withoutRefused } from '../without-refused.ts';
import { createAnthropicReader } from './anthropic-reader.ts';
import { buildAnthropicRequest } from './anthropic-request.ts';
import type { AnthropicThinking } from './anthropic-thinking.ts';

export interface AnthropicOptions extends Omit<HttpModelOptions, 'baseUrl'> {
  /** Default: Anthropic's own. */
  readonly baseUrl?: string;
  /** Default: `adaptive`, which every model since Claude 5 understands. */
  readonly thinking?: AnthropicThinking;
}

export const ANTHROPIC_BASE_URL = 'https://api.anthropic.com';

/** What every model takes; the limit counts thoughts as well. */
const DEFAULT_MAX_OUTPUT_TOKENS = 32_000;
/** Enough for long thoughts and a long file, where a model is known to take more. */
const MOST_OUTPUT_TOKENS = 64_000;

/** A Claude model behind Anthropic's messages API. */
export function createAnthropicModel(options: AnthropicOptions): Model {
  const { model, id = model, name = model, baseUrl = ANTHROPIC_BASE_URL, apiKey, headers } = options;
  const { accepts = { images: true, audio: false, documents: true }, thinking = 'adaptive' } = options;
  let maxOutputTokens = Math.min(options.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS, MOST_OUTPUT_TOKENS);
  let hasThinking = true;
  const created = createHttpModel(
    { ...options, baseUrl, accepts },
    {
      buildRequest: (request) => ({
        url: joinUrl(baseUrl, '/v1/messages'),
        headers: { 'anthropic-version': '2023-06-01', ...(apiKey ? { 'x-api-key': apiKey } : {}), ...headers },
        body: buildAnthropicRequest(request, { id, model, accepts, thinking, hasThinking, maxOutputTokens }),
      }),
      hasWebSearch: true,
      createReader: () => createAnthropicReader({ id, name }),
    },
  );
  // Models that the catalog lacks, and servers of others that speak this format.
  const freeToThink = withoutRefused(created, {
    refusal:
      /adaptive|output_config|effort (parameter|level)|thinking[\w.]*["'`]?:? (is not|not|unsupported|extra input|input tag)/i,
    leaveOut: () => {
      hasThinking = false;
    },
  });
  return withoutRefused(freeToThink, {
    refusal: /max_tokens: \d+ > (\d+)/,
    leaveOut: ([, most]) => {
      maxOutputTokens = Number(most);
    },
  });
}
