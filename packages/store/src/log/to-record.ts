import type { InboundRow, SessionView } from '../backend/operations.ts';
import { quote, StoreError } from '../contract/errors.ts';
import type { InboundRecord } from '../contract/session-log.ts';
import type { SessionRecord } from '../contract/session-record.ts';

export function toSessionRecord(row: SessionView): SessionRecord {
  const { num: _num, epoch: _epoch, metadataJson, trimmedBytes, ...record } = row;
  const metadata = parseStored(() => `The metadata of session ${quote(row.id)}`, metadataJson);
  return { ...record, bytes: row.bytes - trimmedBytes, metadata: metadata as Record<string, unknown> };
}

export function toInbound({ key, outcomeJson }: InboundRow): InboundRecord {
  return {
    key,
    outcome: outcomeJson === null ? undefined : parseStored(() => `The outcome of key ${quote(key)}`, outcomeJson),
  };
}

/** Reads JSON that the store has written; it fails only when something has damaged the file. */
export function parseStored(what: () => string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    const message = `${what()} cannot be read, because what is stored is damaged; restore a copy of the store.`;
    throw new StoreError('store_corrupt', message, { cause });
  }
}
