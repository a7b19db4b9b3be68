import { connect } from 'node:net';

export const TOKEN = 'test-token';

/** What a case may name: the listener under test, and a connection and a session that are open there. */
export interface Known {
  readonly port: number;
  readonly connectionId: string;
  readonly sessionId: string;
}

/** A request as it goes over the wire. `expects` lists the status of each answer; none when the socket is only closed. */
export interface RawCase {
  readonly title: string;
  readonly send: string | Uint8Array | ((known: Known) => string | Uint8Array);
  readonly expects: readonly number[];
}

export const INITIALIZE: string = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
});

/** What a case changes in a good request. `null` leaves a header out. */
export interface RequestParts {
  readonly line?: string;
  readonly host?: string | null;
  readonly token?: string | null;
  readonly type?: string | null;
  /** Default: that of the body. */
  readonly length?: string | null;
  /** Further header lines, as they are. */
  readonly lines?: readonly string[];
  readonly body?: string | Uint8Array;
  readonly lineEnd?: string;
}

/** A good `initialize` on `/acp`, but for what a case changes. The server closes after it. */
export function post(parts: RequestParts = {}): Uint8Array {
  const { line = 'POST /acp HTTP/1.1', host = '127.0.0.1', token = `Bearer ${TOKEN}`, lineEnd = '\r\n' } = parts;
  const body = Buffer.from(parts.body ?? INITIALIZE);
  const { type = 'application/json', length = String(body.length), lines = [] } = parts;
  const fields = [
    ['Host', host],
    ['Authorization', token],
    ['Content-Type', type],
    ['Content-Length', length],
  ] as const;
  const head = [line, 'Connection: close'];
  for (const [name, value] of fields) if (value !== null) head.push(`${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${[...head, ...lines].join(lineEnd)}${lineEnd}${lineEnd}`, 'latin1'), body]);
}

/** A request without a body. */
export function get(line: string, lines: readonly string[] = [], parts: RequestParts = {}): Uint8Array {
  return post({ line, type: null, length: null, body: '', lines, ...parts });
}

/** Sends bytes and reads until the server closes; resolves with the status of each answer. */
export async function exchangeRaw(
  port: number,
  bytes: string | Uint8Array,
): Promise<{ statuses: number[]; text: string }> {
  const socket = connect({ port, host: '127.0.0.1' });
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  // Not ended: a server that waits for more than it should is to be seen.
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  const statuses = [...text.matchAll(/(?:^|\n|\})HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  return { statuses, text };
}
