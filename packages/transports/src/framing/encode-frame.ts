import type { Message } from '@parley/jsonrpc';
import type { WireFraming } from './framing.ts';
import { stringifyMessage } from './stringify-message.ts';

/** The text of one message on the wire. Throws `UnsendableMessageError` when the message has no JSON form. */
export function encodeFrame(message: Message, framing: WireFraming): string {
  const json = stringifyMessage(message);
  return framing === 'newline' ? `${json}\n` : `Content-Length: ${countUtf8Bytes(json)}\r\n\r\n${json}`;
}

/** The length in UTF-8 of what `JSON.stringify` wrote: it escapes lone surrogates, so those left come in pairs. */
export function countUtf8Bytes(json: string): number {
  let bytes = json.length;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code < 0x80) continue;
    bytes += code < 0x800 || isSurrogate(code) ? 1 : 2;
  }
  return bytes;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xe000;
}
