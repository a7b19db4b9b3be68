import { isRecord, updateVariant } from '@parley/session/traces';
import type { Row } from './row.ts';

/** Something that took time, for the timeline. */
export interface Span {
  readonly lane: Lane;
  readonly fromMs: number;
  /** Undefined while it goes on. */
  readonly toMs: number | undefined;
  readonly row: Row;
  readonly label: string;
  readonly isFailed: boolean;
}

/** `turn`: the agent works on a prompt. `tool`: a tool runs. `client`: the client is asked for something. `person`: somebody must decide. */
export type Lane = 'turn' | 'tool' | 'client' | 'person';

export const LANES: readonly Lane[] = ['turn', 'tool', 'client', 'person'];

/** What took time in these rows, in the order in which it began. */
export function spansOf(rows: readonly Row[]): readonly Span[] {
  const spans: Span[] = [];
  const open = new Map<string, { readonly index: number }>();
  const begin = (key: string, span: Span): void => {
    if (open.has(key)) return;
    open.set(key, { index: spans.push(span) - 1 });
  };
  const end = (key: string, row: Row, isFailed: boolean): void => {
    const begun = open.get(key);
    const span = begun && spans[begun.index];
    open.delete(key);
    if (begun && span) spans[begun.index] = { ...span, toMs: row.timeMs, isFailed };
  };
  for (const row of rows) {
    if (row.kind === 'request') {
      const lane = laneOf(row);
      const toMs = row.pair?.timeMs;
      if (lane) spans.push({ lane, fromMs: row.timeMs, toMs, row, label: labelOf(row), isFailed: isFailed(row) });
    } else if (row.kind === 'notification') seeUpdate(row, begin, end);
  }
  return spans;
}

/** In version 2 the answer to a prompt comes at once, and states tell how long it took. */
function laneOf(row: Row): Lane | undefined {
  if (row.waitsOn === 'person') return 'person';
  if (row.waitsOn === 'client') return 'client';
  return row.method === 'session/prompt' && (!row.pair || hasStopReason(row)) ? 'turn' : undefined;
}

function hasStopReason({ pair }: Row): boolean {
  return pair?.kind === 'error' || (isRecord(pair?.message?.result) && 'stopReason' in pair.message.result);
}

function seeUpdate(
  row: Row,
  begin: (key: string, span: Span) => void,
  end: (key: string, row: Row, isFailed: boolean) => void,
): void {
  const variant = row.message && updateVariant(row.message);
  if (variant === undefined || !isRecord(row.message?.params) || !isRecord(row.message.params.update)) return;
  const { toolCallId, status, state, title } = row.message.params.update;
  const wire = `${row.connection} ${row.sessionId}`;
  const span = { fromMs: row.timeMs, toMs: undefined, row, isFailed: false };
  if (variant === 'state_update') {
    if (state === 'running') begin(`${wire} turn`, { ...span, lane: 'turn', label: 'turn' });
    else if (state === 'idle') end(`${wire} turn`, row, false);
  } else if (variant === 'tool_call' || variant === 'tool_call_update') {
    const key = `${wire} tool ${String(toolCallId)}`;
    if (status === 'completed' || status === 'failed') end(key, row, status === 'failed');
    else if (variant === 'tool_call' || typeof title === 'string')
      begin(key, { ...span, lane: 'tool', label: String(title ?? toolCallId) });
  }
}

function labelOf(row: Row): string {
  if (row.waitsOn === 'person') return row.summary || 'question';
  return row.method === 'session/prompt' ? `prompt ${row.summary}` : `${row.method} ${row.summary}`;
}

function isFailed(row: Row): boolean {
  return row.pair?.kind === 'error';
}

/** Those of one lane that would be drawn less than a pixel apart are drawn as one. */
export function mergeSpans(spans: readonly Span[], lane: Lane, gapMs: number): readonly Span[] {
  const merged: Span[] = [];
  for (const span of spans) {
    if (span.lane !== lane) continue;
    const last = merged.at(-1);
    const isNear = last && last.toMs !== undefined && span.toMs !== undefined && span.fromMs - last.fromMs < gapMs;
    if (isNear && (span.toMs ?? 0) - last.fromMs < gapMs * 2)
      merged[merged.length - 1] = { ...last, toMs: Math.max(last.toMs ?? 0, span.toMs ?? 0) };
    else merged.push(span);
  }
  return merged;
}

/** How long somebody was waited for within these spans, counted once where they overlap. */
export function waitedMs(spans: readonly Span[], lane: Lane, nowMs: number): number {
  let total = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { lane: of, fromMs, toMs = nowMs } of spans) {
    if (of !== lane) continue;
    total += Math.max(0, toMs - Math.max(fromMs, until));
    until = Math.max(until, toMs);
  }
  return total;
}
