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

const MAX_PROMPT_ID_LENGTH = 128;

/** The id that a client gives a prompt, so that it runs once. */
export function readPromptId(meta: Meta | undefined): string | undefined {
  const promptId = meta?.[META.promptId];
  if (promptId === undefined) return undefined;
  if (typeof promptId === 'string' && promptId.length > 0 && promptId.length <= MAX_PROMPT_ID_LENGTH) return promptId;
  throw RpcError.invalidParams(`_meta["${META.promptId}"]: expected a text of 1 to ${MAX_PROMPT_ID_LENGTH} characters`);
}

/** What a client wants to become of a prompt while a turn runs; `otherwise` when it does not say. */
export function readWhenBusy<Otherwise extends WhenBusy>(
  meta: Meta | undefined,
  otherwise: Otherwise,
): 'queue' | 'steer' | Otherwise {
  const whenBusy = meta?.[META.whenBusy];
  return whenBusy === 'queue' || whenBusy === 'steer' ? whenBusy : otherwise;
}
