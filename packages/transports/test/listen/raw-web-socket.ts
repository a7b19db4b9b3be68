import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { TOKEN } from './listening.ts';

/** A WebSocket client made of bytes, for what no library would send. */
export interface RawWebSocket {
  readonly socket: Socket;
  /** The head of the answer to the upgrade. */
  readonly head: string;
}

export async function dialRaw(
  port: number,
  { headers = {}, path = '/acp' }: { headers?: Readonly<Record<string, string>>; path?: string } = {},
): Promise<RawWebSocket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const fields = {
    Host: `127.0.0.1:${port}`,
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13',
    Authorization: `Bearer ${TOKEN}`,
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  let head = '';
  while (!head.includes('\r\n\r\n')) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    head += chunk.toString('latin1');
  }
  return { socket, head };
}

/** One frame as a client sends it. The mask is zero, which leaves the bytes as they are. */
export function frameOf(bytes: Uint8Array, firstByte = 0x81): Buffer {
  const { length } = bytes;
  const head = Buffer.alloc(length < 126 ? 6 : length < 65_536 ? 8 : 14);
  head[0] = firstByte;
  if (length < 126) head[1] = 0x80 | length;
  else if (length < 65_536) {
    head[1] = 0x80 | 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 0x80 | 127;
    head.writeUInt32BE(length, 6);
  }
  return Buffer.concat([head, bytes]);
}
