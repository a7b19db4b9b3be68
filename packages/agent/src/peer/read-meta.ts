import { RpcError } from '@parley/jsonrpc';
import { META } from '@parley/session';
import type { Meta } from '../contract/session.ts';
import type { WhenBusy } from '../session/prompt-options.ts';

/** The last event that a client has. */
export function readCursor(meta: Meta | undefined): number | undefined {
  const cursor = meta?.[META.cursor];
  if (cursor === undefined) return undefined;
  if (typeof cursor === 'number' && Number.isSafeInteger(cursor) && cursor >= 0) return cursor;
  throw RpcError.invalidParams(`_meta["${META.cursor}"]: expected the number of an event`);
}

const MAX_KEY_LENGTH = 128;

/** The name that a client gives a prompt, so that it runs once. */
export function readKey(meta: Meta | undefined): string | undefined {
  const key = meta?.[META.promptKey];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length > 0 && key.length <= MAX_KEY_LENGTH) return key;
  throw RpcError.invalidParams(`_meta["${META.promptKey}"]: expected a text of 1 to ${MAX_KEY_LENGTH} characters`);
}

/** What a client wants to become of a prompt while a turn runs; `otherwise` when it does not say. */
export function readWhenBusy<Otherwise extends WhenBusy>(
  meta: Meta | undefined,
  otherwise: Otherwise,
): 'queue' | 'steer' | Otherwise {
  const whenBusy = meta?.[META.whenBusy];
  return whenBusy === 'queue' || whenBusy === 'steer' ? whenBusy : otherwise;
}
