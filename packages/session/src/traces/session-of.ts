import { isRecord } from '@parley/jsonrpc/internal';
import type { TracedMessage } from './trace-entry.ts';

/** The session that a message names itself: in its params, or as the session that was made. */
export function sessionOf({ params, result }: TracedMessage): string | undefined {
  const holder = isRecord(params) ? params : isRecord(result) ? result : undefined;
  return typeof holder?.sessionId === 'string' ? holder.sessionId : undefined;
}
