/** What is used of the platform's `WebSocket`. Browsers, workers, Deno, Bun and Node from version 22 have it. */
export interface PlatformWebSocket {
  readonly readyState: number;
  readonly bufferedAmount: number;
  /** The subprotocol that the server has selected; empty when none. */
  readonly protocol: string;
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: (() => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string; readonly wasClean: boolean }) => void) | null;
  send(data: string): void;
  close(code?: number, reason?: string): void;
}

export type PlatformWebSocketConstructor = new (url: string, protocols?: string[]) => PlatformWebSocket;

export const OPEN = 1;
export const CLOSED = 3;

export function getPlatformWebSocket(): PlatformWebSocketConstructor {
  const { WebSocket } = globalThis as { readonly WebSocket?: PlatformWebSocketConstructor };
  if (WebSocket) return WebSocket;
  throw new TypeError(
    'This platform has no WebSocket; in Node, import @parley/transports/websocket without the browser condition.',
  );
}
