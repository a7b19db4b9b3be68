import { createHttpModel, type HttpModelOptions, joinUrl } from '../../http/http-model.ts';
import type { Model } from '../../model/model.ts';
import { ToolLimit } from '../tool-limit.ts';
import { withoutRefused, withoutThinking } from '../without-refused.ts';
import { createChatReader } from './chat-reader.ts';
import { buildChatRequest, type ChatDialect } from './chat-request.ts';

export interface OpenAiChatOptions extends HttpModelOptions {
  /** Default: `compatible`, the plain format that Ollama, llama.cpp, LM Studio and vLLM speak. */
  readonly dialect?: ChatDialect;
}

/** A model behind an OpenAI-compatible `/chat/completions`. The base URL ends in the version: `http://127.0.0.1:11434/v1`. */
export function createOpenAiChatModel(options: OpenAiChatOptions): Model {
  const { model, id = model, name = model, baseUrl, apiKey, headers } = options;
  const { dialect = 'compatible', accepts = { images: true, audio: false }, maxOutputTokens } = options;
  let hasThinking = true;
  const tools = new ToolLimit();
  const created = createHttpModel(
    { ...options, accepts },
    {
      buildRequest: (request) => ({
        url: joinUrl(baseUrl, '/chat/completions'),
        headers: { ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}), ...headers },
        body: buildChatRequest(tools.fit(hasThinking ? request : withoutThinking(request)), {
          id,
          model,
          dialect,
          accepts,
          maxOutputTokens,
        }),
      }),
      createReader: () => createChatReader({ id, name }),
      readsPlainJson: true,
    },
  );
  return withoutRefused(tools.heed(created), {
    isAskedFor: ({ thinking }) => thinking !== undefined,
    refusal: /reasoning_effort|reasoning effort|["'`]?thinking["'`]? (is|parameter|field|not|unsupported)/i,
    leaveOut: () => {
      hasThinking = false;
    },
  });
}
