import type { Message } from '@parley/jsonrpc';
import type { WireFraming } from './framing.ts';
import { UnsendableMessageError } from './unsendable-message-error.ts';

/** The text of one message on the wire. Throws `UnsendableMessageError` when the message has no JSON form. */
export function encodeFrame(message: Message, framing: WireFraming): string {
  const json = stringify(message);
  return framing === 'newline' ? `${json}\n` : `Content-Length: ${countUtf8Bytes(json)}\r\n\r\n${json}`;
}

function stringify(message: Message): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(message);
  } catch (cause) {
    throw new UnsendableMessageError(message, cause);
  }
  if (json === undefined) throw new UnsendableMessageError(message);
  return json;
}

/** The length in UTF-8 of what `JSON.stringify` wrote: it escapes lone surrogates, so those left come in pairs. */
function countUtf8Bytes(json: string): number {
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
