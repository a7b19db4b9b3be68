import type { RequestOptions } from '@parley/jsonrpc';
import type { McpCall } from '../contract/client-peer.ts';
import { McpError } from '../errors.ts';

/** Sends a request to the client. */
type Send = (method: string, params: unknown, options: RequestOptions) => Promise<unknown>;

/** Requests to MCP servers that the client itself provides, and what those servers tell meanwhile. The same in every version. */
export class McpCalls {
  readonly #listeners = new Map<string, NonNullable<McpCall['onNotification']>>();
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** The server's own error comes inside a successful answer; one of the connection comes as any other. */
  async call({ serverId, method, params, onNotification }: McpCall, options: RequestOptions): Promise<unknown> {
    const requestId = crypto.randomUUID();
    if (onNotification) this.#listeners.set(requestId, onNotification);
    try {
      const answer = await this.#send(
        'mcp/message',
        { serverId, requestId, method, ...(params && { params }) },
        options,
      );
      if (typeof answer === 'object' && answer !== null && 'result' in answer) return answer.result;
      const { error } = (answer ?? {}) as { readonly error?: { code?: unknown; message?: unknown; data?: unknown } };
      throw new McpError(method, error);
    } finally {
      this.#listeners.delete(requestId);
    }
  }

  /** What an MCP server of the client tells about a request of ours that it works on. */
  hear(params: unknown): void {
    const { requestId, method, params: inner } = (params ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof method === 'string') this.#listeners.get(String(requestId))?.(method, inner);
  }
}
