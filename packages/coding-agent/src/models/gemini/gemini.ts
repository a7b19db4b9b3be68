import { createHttpModel, type HttpModelOptions, joinUrl } from '../http/http-model.ts';
import type { AcceptedContent, Model } from '../model.ts';
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
  return createHttpModel(
    { ...options, baseUrl, accepts },
    {
      buildRequest: (request) => ({
        url: joinUrl(baseUrl, `/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`),
        headers: { ...(apiKey ? { 'x-goog-api-key': apiKey } : {}), ...headers },
        body: buildGeminiRequest(request, { id, accepts, thinking, maxOutputTokens }),
      }),
      hasWebSearch: true,
      createReader: () => createGeminiReader({ id, name }),
    },
  );
}
