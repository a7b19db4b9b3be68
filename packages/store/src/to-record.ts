import type { InboundRow, RequestRow, SessionRow } from './operations.ts';
import { isHeld } from './rules.ts';
import type { InboundRecord, PendingRequest } from './session-log.ts';
import type { SessionRecord } from './session-record.ts';

export function toSessionRecord(row: SessionRow, nowMs: number): SessionRecord {
  const { num: _num, epoch: _epoch, metadataJson, ...record } = row;
  return { ...record, metadata: JSON.parse(metadataJson) as Record<string, unknown>, isHeld: isHeld(row, nowMs) };
}

export function toInbound({ key, outcomeJson }: InboundRow): InboundRecord {
  return { key, outcome: outcomeJson === null ? undefined : (JSON.parse(outcomeJson) as unknown) };
}

export function toRequest({ requestId, json, askedAtMs, answer }: RequestRow): PendingRequest {
  const body = JSON.parse(json) as unknown;
  if (!answer) return { requestId, body, askedAtMs, answer: null };
  const { answeredBy, answeredAtMs } = answer;
  return { requestId, body, askedAtMs, answer: { body: JSON.parse(answer.json) as unknown, answeredBy, answeredAtMs } };
}
