import { get, INITIALIZE, type RawCase } from './raw-http.ts';

const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const VERSION = 'Sec-WebSocket-Version: 13';
const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket'];

/** A good upgrade, but for what a case changes. */
export function upgrade(
  lines: readonly string[] = [KEY, VERSION],
  { line = 'GET /acp HTTP/1.1', ...parts }: Parameters<typeof get>[2] = {},
): Uint8Array {
  // The `Connection: close` of the other cases would be a second field.
  const text = Buffer.from(get(line, [...UPGRADE, ...lines], parts)).toString('latin1');
  return Buffer.from(text.replace('Connection: close\r\n', ''), 'latin1');
}

export const UPGRADE_CASES: readonly RawCase[] = [
  ...['0', '7', '12', '14', '-13', '13, 8', 'x', ''].map((version) =>
    refused(`the version "${version}"`, [KEY, `Sec-WebSocket-Version: ${version}`], 400),
  ),
  refused('no version', [KEY], 400),
  refused('no key', [VERSION], 400),
  ...['', 'short', 'dGhlIHNhbXBsZSBub25jZQ', '!!!!!!!!!!!!!!!!!!!!!!==', 'x'.repeat(5000)].map((key) =>
    refused(`the key "${key.slice(0, 30)}"`, [`Sec-WebSocket-Key: ${key}`, VERSION], 400),
  ),
  refused('two keys', [KEY, KEY, VERSION], 400),
  refused('a protocol that is none', [KEY, VERSION, 'Sec-WebSocket-Protocol: a b, ,'], 400),
  refused('a header of 20,000 bytes', [KEY, VERSION, `X-Long: ${'x'.repeat(20_000)}`], 431),
  refused('101 header fields', [KEY, VERSION, ...Array.from({ length: 101 }, (_, n) => `X-${n}: x`)], 431),
  refused('a foreign page', [KEY, VERSION, 'Origin: https://evil.example'], 403),
  ...[
    ['a foreign Host', { host: 'evil.example' }, 403],
    ['no Host', { host: null }, 403],
    ['no token', { token: null }, 401],
    ['a wrong token', { token: 'Bearer wrong' }, 401],
    ['another path', { line: 'GET /acp/rpc HTTP/1.1' }, 404],
    ['a path that a URL would make another', { line: 'GET /x/../acp HTTP/1.1' }, 404],
    ['POST', { line: 'POST /acp HTTP/1.1' }, 405],
    ['PUT', { line: 'PUT /acp HTTP/1.1' }, 405],
    ['DELETE', { line: 'DELETE /acp HTTP/1.1' }, 405],
  ].map(([title, parts, status]) => ({
    title: `an upgrade with ${title}`,
    send: upgrade(undefined, parts as object),
    expects: [status as number],
  })),
  { title: 'an upgrade to HTTP/2', send: replaced('websocket', 'h2c'), expects: [426] },
  { title: 'an upgrade to something else', send: replaced('websocket', 'irc'), expects: [426] },
  {
    title: 'an upgrade to two things',
    send: replaced('Upgrade: websocket', 'Upgrade: websocket, h2c'),
    expects: [426],
  },
  {
    title: 'an upgrade that Connection does not name',
    send: replaced('Connection: Upgrade', 'Connection: close'),
    expects: [406],
  },
];

/** One frame after a good upgrade, or several; `code` is that of the server's close, undefined when it goes on. */
export interface FrameCase {
  readonly title: string;
  readonly send: Uint8Array;
  readonly code?: number;
}

const initialize = Buffer.from(INITIALIZE);

export const FRAME_CASES: readonly FrameCase[] = [
  { title: 'a frame that is not masked', send: frame({ payload: initialize, isMasked: false }), code: 1002 },
  ...[0x40, 0x20, 0x10, 0x70].map((bits) => ({
    title: `the reserved bits 0x${bits.toString(16)}`,
    send: frame({ payload: initialize, first: 0x81 | bits }),
    code: 1002,
  })),
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode) => ({
    title: `the opcode ${opcode}, which is reserved`,
    send: frame({ payload: initialize, first: 0x80 | opcode }),
    code: 1002,
  })),
  ...[8, 9, 10].map((opcode) => ({
    title: `a piece of the control frame ${opcode}`,
    send: frame({ payload: Buffer.alloc(0), first: opcode }),
    code: 1002,
  })),
  ...[8, 9, 10].map((opcode) => ({
    title: `the control frame ${opcode} with 126 bytes`,
    send: frame({ payload: Buffer.alloc(126), first: 0x80 | opcode }),
    code: 1002,
  })),
  { title: 'the rest of a message that never began', send: frame({ payload: initialize, first: 0x80 }), code: 1002 },
  {
    title: 'a second message inside the first',
    send: Buffer.concat([frame({ payload: Buffer.from('{'), first: 0x01 }), frame({ payload: initialize })]),
    code: 1002,
  },
  { title: 'a frame above the limit', send: frame({ payload: initialize, length: 2 ** 21 }), code: 1009 },
  { title: 'a frame of 2^53 bytes', send: frame({ payload: initialize, length: 2 ** 53 }), code: 1009 },
  {
    title: 'pieces that are above the limit together',
    send: Buffer.concat([
      frame({ payload: Buffer.alloc(700_000, 0x20), first: 0x01 }),
      frame({ payload: Buffer.alloc(700_000, 0x20), first: 0x80 }),
    ]),
    code: 1009,
  },
  { title: 'a close with one byte', send: frame({ payload: Buffer.from([3]), first: 0x88 }), code: 1002 },
  ...[0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535].map((code) => ({
    title: `a close with the code ${code}, which nobody may send`,
    send: frame({ payload: codeBytes(code), first: 0x88 }),
    code: 1002,
  })),
  ...[1000, 1001, 1003, 1011, 3000, 4999].map((code) => ({
    title: `a close with the code ${code}`,
    send: frame({ payload: codeBytes(code), first: 0x88 }),
    code,
  })),
  { title: 'a close without a code', send: frame({ payload: Buffer.alloc(0), first: 0x88 }), code: 1005 },
  { title: 'a binary frame', send: frame({ payload: initialize, first: 0x82 }) },
  { title: 'an empty text frame', send: frame({ payload: Buffer.alloc(0) }) },
  { title: 'a pong that nobody asked for', send: frame({ payload: Buffer.from('x'), first: 0x8a }) },
  { title: 'bytes that are no UTF-8', send: frame({ payload: Buffer.from([0x22, 0xff, 0xc0, 0x22]) }), code: 1007 },
  {
    title: 'a request before initialize',
    send: frame({ payload: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/"}}') }),
    code: 1002,
  },
  { title: 'half a surrogate pair', send: frame({ payload: Buffer.from('"\\ud800"') }) },
  {
    title: 'a thousand pings',
    send: Buffer.concat(Array.from({ length: 1000 }, () => frame({ payload: Buffer.alloc(125), first: 0x89 }))),
  },
  {
    title: 'a message in pieces of one byte',
    send: Buffer.concat(
      [...Buffer.from('  {}')].map((byte, at) =>
        frame({ payload: Buffer.from([byte]), first: (at === 0 ? 1 : 0) | (at === 3 ? 0x80 : 0) }),
      ),
    ),
  },
];

/** Messages that are none, or come in the wrong order; `answers` are the error codes that the agent answers with. */
export const MESSAGE_CASES: readonly {
  readonly title: string;
  readonly send: readonly string[];
  readonly answers: readonly unknown[];
}[] = [
  ...[
    '7',
    'null',
    'true',
    '"x"',
    '{}',
    '[]',
    '{"jsonrpc":"1.0","id":1,"method":"initialize"}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
    '{"jsonrpc":"2.0","id":{},"method":"x"}',
    '{"jsonrpc":"2.0","id":true,"method":"x"}',
  ].map((text) => ({
    title: `the message ${text}`,
    send: [text],
    answers: [-32600],
  })),
  ...['', '{', 'hello', '{"a":1}x', '\ufeff{}'].map((text) => ({
    title: `the text ${JSON.stringify(text)}`,
    send: [text],
    answers: [-32700],
  })),
  { title: 'a batch', send: [`[${INITIALIZE}]`], answers: [-32600] },
  {
    title: 'initialize without its params',
    send: ['{"jsonrpc":"2.0","id":1,"method":"initialize"}'],
    answers: [-32602],
  },
  { title: 'initialize twice', send: [INITIALIZE, INITIALIZE], answers: [undefined, -32600] },
];

interface FrameParts {
  readonly payload: Uint8Array;
  /** Default: a whole text message. */
  readonly first?: number;
  readonly isMasked?: boolean;
  /** What the header says, where that is not so. */
  readonly length?: number;
}

/** A frame as a client sends it (RFC 6455, section 5.2). The mask is zero, which leaves the bytes as they are. */
export function frame({ payload, first = 0x81, isMasked = true, length = payload.length }: FrameParts): Buffer {
  const mask = isMasked ? 0x80 : 0;
  const size = length < 126 ? Buffer.from([first, mask | length]) : Buffer.alloc(length < 65_536 ? 4 : 10);
  if (length >= 126) {
    size[0] = first;
    size[1] = mask | (length < 65_536 ? 126 : 127);
    if (length < 65_536) size.writeUInt16BE(length, 2);
    else size.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([size, Buffer.alloc(isMasked ? 4 : 0), payload]);
}

function refused(what: string, lines: readonly string[], status: number): RawCase {
  return { title: `an upgrade with ${what}`, send: upgrade(lines), expects: [status] };
}

function replaced(from: string, to: string): string {
  return Buffer.from(upgrade()).toString('latin1').replace(from, to);
}

function codeBytes(code: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(code);
  return bytes;
}
