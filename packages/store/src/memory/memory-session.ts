import type {
  AddRequestInput,
  AnswerInput,
  EncodedEvent,
  InboundRow,
  Output,
  RequestRow,
  SessionRow,
} from '../operations.ts';

/** One session in memory. */
export interface MemorySession {
  row: SessionRow;
  readonly events: MemoryEvent[];
  /** The bytes of all bodies up to and including each event. */
  readonly ends: number[];
  readonly inbound: Map<string, InboundRow>;
  readonly requests: Map<string, RequestRow>;
}

export interface MemoryEvent {
  readonly epoch: number;
  readonly event: EncodedEvent;
}

export interface PageLimits {
  readonly after: number;
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/** As many events after the cursor as the limits allow, but at least one. */
export function pageOf({ events, ends }: MemorySession, { after, maxEvents, maxBytes }: PageLimits): string {
  const start = after === 0 ? 0 : (ends[after - 1] ?? 0);
  const last = Math.min(after + maxEvents, events.length);
  let end = Math.min(after + 1, last);
  while (end < last && (ends[end] ?? 0) - start <= maxBytes) end++;
  const tuples = events.slice(after, end).map(({ epoch, event }, index) => {
    const { timeMs, kind, json } = event;
    return `[${after + index + 1},${epoch},${timeMs},${JSON.stringify(kind)},${json}]`;
  });
  return `[${tuples.join(',')}]`;
}

export function addRequest(session: MemorySession, input: Omit<AddRequestInput, 'epoch'>): RequestRow {
  const { requestId, json, nowMs } = input;
  const known = session.requests.get(requestId);
  if (known) return known;
  const request: RequestRow = { requestId, json, askedAtMs: nowMs, answer: null };
  session.requests.set(requestId, request);
  return request;
}

/** Records an answer unless there is one; undefined when there is no such request. */
export function addAnswer(session: MemorySession, input: AnswerInput): Output<'answerRequest'> | undefined {
  const { requestId, json, answeredBy, nowMs } = input;
  const known = session.requests.get(requestId);
  if (!known) return undefined;
  if (known.answer) return { isFirst: false, request: known };
  const request: RequestRow = { ...known, answer: { json, answeredBy, answeredAtMs: nowMs } };
  session.requests.set(requestId, request);
  return { isFirst: true, request };
}
