import { createHttpModel, type HttpModelOptions, joinUrl } from '../../http/http-model.ts';
import type { Model } from '../../model/model.ts';
import { ToolLimit } from '../tool-limit.ts';
import { withoutRefused, withoutThinking } from '../without-refused.ts';
import { createResponsesReader } from './responses-reader.ts';
import { buildResponsesRequest } from './responses-request.ts';

export interface OpenAiResponsesOptions extends Omit<HttpModelOptions, 'baseUrl'> {
  /** Ends in the version. Default: OpenAI's own. */
  readonly baseUrl?: string;
  /** Whether the model takes reasoning settings. Default: true, as for everything since GPT-5. */
  readonly canReason?: boolean;
}

export const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/** A model behind OpenAI's responses API. */
export function createOpenAiResponsesModel(options: OpenAiResponsesOptions): Model {
  const { model, id = model, name = model, baseUrl = OPENAI_BASE_URL, apiKey, headers } = options;
  const { accepts = { images: true, audio: false, documents: true }, maxOutputTokens, thinkingLevels } = options;
  let { canReason = true } = options;
  let hasSummaries = true;
  let hasLevels = true;
  const tools = new ToolLimit();
  const created = createHttpModel(
    { ...options, baseUrl, accepts },
    {
      buildRequest: (request) => ({
        url: joinUrl(baseUrl, '/responses'),
        headers: { ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}), ...headers },
        body: buildResponsesRequest(tools.fit(hasLevels ? request : withoutThinking(request)), {
          id,
          model,
          accepts,
          canReason,
          maxOutputTokens,
          hasSummaries,
          ...(thinkingLevels && { thinkingLevels }),
        }),
      }),
      hasWebSearch: true,
      createReader: () => createResponsesReader({ id, name }),
    },
  );
  const quiet = withoutRefused(tools.heed(created), {
    // An organization that OpenAI has not verified gets no thoughts in words, and a refusal when it asks for them.
    refusal: /reasoning summar/i,
    leaveOut: () => {
      hasSummaries = false;
    },
  });
  // Models that the catalog lacks: some have other levels, some do not reason.
  const levelled = withoutRefused(quiet, {
    isAskedFor: ({ thinking }) => thinking !== undefined,
    refusal: /unsupported value: '(none|minimal|low|medium|high|xhigh|max)'/i,
    leaveOut: () => {
      hasLevels = false;
    },
  });
  return withoutRefused(levelled, {
    refusal: /unsupported parameter: 'reasoning|encrypted content is not supported/i,
    leaveOut: () => {
      canReason = false;
    },
  });
}
