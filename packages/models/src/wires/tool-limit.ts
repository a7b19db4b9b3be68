import type { Model, ModelRequest } from '../model/model.ts';
import { withoutRefused } from './without-refused.ts';

/**
 * How many tools a server takes, once it has said so: OpenAI takes 128, and refuses every request that has more. The
 * first ones stay, which are our own; those of the MCP servers that were named last go.
 */
export class ToolLimit {
  #most: number | undefined;

  /** A request with no more tools than the server takes. */
  fit(request: ModelRequest): ModelRequest {
    const { tools } = request;
    if (this.#most === undefined || tools === undefined || tools.length <= this.#most) return request;
    return { ...request, tools: tools.slice(0, this.#most) };
  }

  /** The model, which asks again with fewer tools when there were too many, and says which are missing. */
  heed(model: Model): Model {
    return withoutRefused(model, {
      isAskedFor: ({ tools = [] }) => tools.length > 0,
      refusal: TOO_MANY,
      leaveOut: ({ groups }) => {
        this.#most = Number(groups?.most);
      },
      remark: ({ tools = [] }) => {
        const missing = tools.slice(this.#most).map(({ name }) => name);
        if (missing.length === 0) return undefined;
        const named = missing.length > MAX_NAMED ? [...missing.slice(0, MAX_NAMED), '…'] : missing;
        return {
          type: 'remark',
          title: `${model.name} takes ${this.#most} tools, and ${missing.length} were left out`,
          description: `${named.join(', ')}. With fewer MCP servers, all of them can be used.`,
        };
      },
    });
  }
}

/** `Invalid 'tools': array too long. Expected an array with maximum length 128, …`; `'tools': maximum number of items is 128`. */
const TOO_MANY =
  /\btools\b.{0,80}?\b(?:maximum (?:length|number|of)|at most|no more than|max(?:imum)?)\D{0,40}?(?<most>[1-9]\d{0,4})\b/is;

const MAX_NAMED = 5;
