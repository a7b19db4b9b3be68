import type { Message } from '@parley/jsonrpc';
import { ParleyError } from '@parley/jsonrpc';
import type { WireFraming } from './framing.ts';

/** A message that has no JSON form was given to `send`. Nothing of it was sent; the wire is unharmed. */
export class UnsendableMessageError extends ParleyError {
  override readonly name = 'UnsendableMessageError';

  constructor(message: Message, because: string, cause?: unknown) {
    super('unsendable_message', `Cannot send ${describeMessage(message)}: ${because}`, { cause });
  }
}

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
    throw new UnsendableMessageError(message, whyUnsendable(cause), cause);
  }
  if (json === undefined) throw new UnsendableMessageError(message, 'it is not an object.');
  return json;
}

function whyUnsendable(cause: unknown): string {
  if (cause instanceof RangeError) return 'it is nested too deep, or too large for one string.';
  const detail = cause instanceof Error ? firstLine(cause.message) : String(cause);
  return `it has no JSON form (${detail}). Remove cycles and write BigInt values as strings.`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

function describeMessage(message: Message): string {
  if (typeof message === 'object' && message !== null) {
    if ('method' in message) return `"${message.method}"`;
    if ('id' in message) return `the response to request ${JSON.stringify(message.id)}`;
  }
  return 'a message';
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
