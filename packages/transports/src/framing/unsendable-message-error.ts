import { type Message, ParleyError } from '@parley/jsonrpc';

/** A message that has no JSON form was given to `send`. Nothing of it was sent; the wire is unharmed. */
export class UnsendableMessageError extends ParleyError {
  override readonly name = 'UnsendableMessageError';

  constructor(message: Message, cause?: unknown) {
    super('unsendable_message', `Cannot send ${describeMessage(message)}: ${findReason(cause)}`, { cause });
  }
}

function describeMessage(message: Message): string {
  if (typeof message !== 'object' || message === null) return 'a message';
  if ('method' in message) return `"${message.method}"`;
  return 'id' in message ? `the response to request ${JSON.stringify(message.id)}` : 'a message';
}

function findReason(cause: unknown): string {
  if (cause === undefined) return 'it is not an object.';
  if (cause instanceof RangeError) return 'it is nested too deep, holds itself, or is too large for one string.';
  const [detail] = String(cause instanceof Error ? cause.message : cause).split('\n', 1);
  return `it has no JSON form (${detail}). Remove cycles, and write BigInt values as strings.`;
}
