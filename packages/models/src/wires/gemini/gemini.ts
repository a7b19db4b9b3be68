import { createHttpModel, type HttpModelOptions, joinUrl } from '../../http/http-model.ts';
import type { AcceptedContent, Model } from '../../model/model.ts';
import { withoutRefused } from '../without-refused.ts';
import { createGeminiReader } from './gemini-reader.ts';
import { buildGeminiRequest, type GeminiThinking } from './gemini-request.ts';

export interface GeminiOptions extends Omit<HttpModelOptions, 'baseUrl'> {
  /** Default: Google's own. */
  readonly baseUrl?: string;
  /** Default: `level`, as of Gemini 3. */
  readonly thinking?: GeminiThinking;
}

export const GEMINI_BASE_URL = 'https://generativelanguage.googleapis.com';

const GEMINI_ACCEPTS: AcceptedContent = {
  images: true,
  audio: true,
  documents: true,
  imageTypes: ['image/png', 'image/jpeg', 'image/webp'],
};

/** A Gemini model behind Google's `streamGenerateContent`. */
export function createGeminiModel(options: GeminiOptions): Model {
  const { model, id = model, name = model, baseUrl = GEMINI_BASE_URL, apiKey, headers } = options;
  const { accepts = GEMINI_ACCEPTS, thinking = 'level', maxOutputTokens } = options;
  let hasThinking = true;
  const created = createHttpModel(
    { ...options, baseUrl, accepts },
    {
      buildRequest: (request) => ({
        url: joinUrl(baseUrl, `/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`),
        headers: { ...(apiKey ? { 'x-goog-api-key': apiKey } : {}), ...headers },
        body: buildGeminiRequest(request, { id, accepts, thinking, hasThinking, maxOutputTokens }),
      }),
      hasWebSearch: true,
      createReader: () => createGeminiReader({ id, name }),
    },
  );
  // Models that the catalog lacks: some take a level, some a budget, some nothing of the kind.
  return withoutRefused(created, {
    refusal: /thinking[_ ]?(level|budget|config|mode)|thinking is (not|only)|include_?thoughts/i,
    leaveOut: () => {
      hasThinking = false;
    },
  });
}
