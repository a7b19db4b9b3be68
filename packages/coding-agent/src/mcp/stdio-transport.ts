import type { JSONRPCMessage, Transport as McpTransport } from '@modelcontextprotocol/client';
import type { Message } from '@parley/jsonrpc';
import { type ProcessTransport, type SpawnProcessOptions, spawnProcess } from '@parley/transports/process';

/**
 * An MCP server's process on our own spawning: a process group that ends with everything it started, its stderr kept
 * for error messages, and no orphan even when we are killed.
 */
export class StdioServerTransport implements McpTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why the process is gone, with the end of what it wrote to stderr. */
  endedBy: Error | undefined;
  readonly #options: SpawnProcessOptions;
  #transport: ProcessTransport | undefined;

  constructor(options: SpawnProcessOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const transport = await spawnProcess(this.#options);
    this.#transport = transport;
    transport.onFault(() => {});
    transport.onClose(({ error }) => {
      this.endedBy = error;
      if (error) this.onerror?.(error);
      this.onclose?.();
    });
    transport.onMessage((value) => this.onmessage?.(value as JSONRPCMessage));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#transport?.send(message as Message);
  }

  async close(): Promise<void> {
    await this.#transport?.close();
  }
}
