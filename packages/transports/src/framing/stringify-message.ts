import type { Message } from '@parley/jsonrpc';
import { keptText } from './kept-text.ts';
import { UnsendableMessageError } from './unsendable-message-error.ts';

/** The JSON text of a message. Throws `UnsendableMessageError` when it has none. */
export function stringifyMessage(message: Message): string {
  const kept = keptText(message);
  if (kept !== undefined) return kept;
  let json: string | undefined;
  try {
    json = JSON.stringify(message);
  } catch (cause) {
    throw new UnsendableMessageError(message, cause);
  }
  if (json === undefined) throw new UnsendableMessageError(message);
  return json;
}
