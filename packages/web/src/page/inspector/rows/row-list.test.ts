import type { TraceEntry } from '@parley/session/traces';
import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '../filter/filter.ts';
import { exportTrace } from '../source/export-trace.ts';
import { readTraceFile } from '../source/trace-file.ts';
import { MAX_ROWS, RowList } from './row-list.ts';
import { mergeSpans, spansOf, waitedMs } from './spans.ts';

let clock = 0;
function tick(): number {
  clock += 10;
  return clock;
}
const message = (direction: 'in' | 'out', fields: object, connection?: string, timeMs = tick()): TraceEntry => ({
  kind: 'message',
  timeMs,
  direction,
  message: { jsonrpc: '2.0', ...fields },
  ...(connection !== undefined && { connection }),
});
const chunk = (text: string, connection?: string): TraceEntry =>
  message(
    'in',
    {
      method: 'session/update',
      params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
    },
    connection,
  );
const update = (fields: object, timeMs: number): TraceEntry =>
  message('in', { method: 'session/update', params: { sessionId: 's', update: fields } }, undefined, timeMs);

describe('the rows of the inspector', () => {
  it('pair requests and answers, with duration, method and session', () => {
    const rows = new RowList();
    const asked = rows.add(message('out', { id: 1, method: 'session/new', params: {} }, 'c', 1000));
    expect(asked.status).toBe('open');
    const answer = rows.add(message('in', { id: 1, result: { sessionId: 's' } }, 'c', 1040));
    expect([asked.pair, answer.pair]).toEqual([answer, asked]);
    expect([asked.durationMs, answer.durationMs, answer.method, asked.sessionId]).toEqual([40, 40, 'session/new', 's']);
    const failed = rows.add(message('out', { id: 2, method: 'x' }, 'c'));
    rows.add(message('in', { id: 2, error: { code: 1, message: 'no' } }, 'c'));
    expect(failed.status).toBe('error');
  });

  it('fold chunks that follow one another, unfold and fold them, and lose none', () => {
    const rows = new RowList();
    assert(
      property(array(constantFrom('a', 'b', 'c'), { maxLength: 40 }), (texts) => {
        rows.clear();
        for (const text of texts) rows.add(text === 'c' ? message('in', { method: '_x' }) : chunk(text, text));
        const all = rows.all.flatMap(({ entries }) => entries);
        expect(all).toHaveLength(texts.length);
        expect(rows.all.every(({ count, kind }) => kind === 'notification' && count > 0)).toBe(true);
      }),
    );
    rows.clear();
    for (const text of ['a', 'b', 'c']) rows.add(chunk(text));
    const [run] = rows.shown;
    expect(rows.shown.map(({ count }) => count)).toEqual([3]);
    if (run) rows.toggle(run);
    expect(rows.shown.map((row) => row.run === run)).toEqual([false, true, true, true]);
    rows.add(chunk('d'));
    rows.settle();
    expect(rows.shown).toHaveLength(5);
    expect(rows.shown.map((row) => rows.indexOf(row))).toEqual([0, 1, 2, 3, 4]);
    if (run) rows.toggle(run);
    expect(rows.shown).toHaveLength(1);
  });

  it('that are not shown yet are shown in their place when their answer makes them fit', () => {
    const rows = new RowList();
    rows.setFilter(parseFilter('slow>1s'), undefined);
    const slow = rows.add(message('out', { id: 1, method: 'a' }, 'c', 0));
    rows.add(message('out', { id: 2, method: 'b' }, 'c', 10));
    expect(rows.shown).toEqual([]);
    rows.add(message('in', { id: 2, result: {} }, 'c', 5000));
    rows.add(message('in', { id: 1, result: {} }, 'c', 6000));
    expect(rows.shown.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(rows.shown[0]).toBe(slow);
    rows.setFilter(parseFilter(''), { fromMs: 5500, toMs: 7000 });
    expect(rows.shown.map(({ number }) => number)).toEqual([1, 4]);
  });

  it('are kept up to a number', () => {
    const rows = new RowList();
    for (let index = 0; index <= MAX_ROWS; index += 1) rows.add({ kind: 'stderr', timeMs: index, text: 'x' });
    expect(rows.all.length).toBeLessThan(MAX_ROWS);
    expect(rows.forgotten + rows.all.length).toBe(MAX_ROWS + 1);
    expect(rows.find(MAX_ROWS)?.number).toBe(MAX_ROWS);
  });
});

describe('the timeline', () => {
  it('tells a person who is waited for from an agent that works, in both versions', () => {
    const rows = new RowList();
    const entries: readonly TraceEntry[] = [
      message('out', { id: 1, method: 'session/prompt', params: { sessionId: 's', prompt: [] } }, undefined, 1000),
      update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'edit', status: 'pending' }, 2000),
      message('in', { id: 7, method: 'session/request_permission', params: { sessionId: 's' } }, undefined, 2100),
      message('out', { id: 7, result: { outcome: { outcome: 'selected', optionId: 'a' } } }, undefined, 8100),
      message('in', { id: 8, method: 'fs/read_text_file', params: { sessionId: 's' } }, undefined, 8200),
      message('out', { id: 8, result: {} }, undefined, 8300),
      update({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'failed' }, 8500),
      message('in', { id: 1, result: { stopReason: 'end_turn' } }, undefined, 9000),
      update({ sessionUpdate: 'state_update', state: 'running' }, 10_000),
      update({ sessionUpdate: 'state_update', state: 'idle' }, 11_000),
    ];
    for (const entry of entries) rows.add(entry);
    const spans = spansOf(rows.all);
    expect(spans.map(({ lane, fromMs, toMs, isFailed }) => [lane, fromMs, toMs, isFailed])).toEqual([
      ['turn', 1000, 9000, false],
      ['tool', 2000, 8500, true],
      ['person', 2100, 8100, false],
      ['client', 8200, 8300, false],
      ['turn', 10_000, 11_000, false],
    ]);
    expect(waitedMs(spans, 'person', 9000)).toBe(6000);
    expect(waitedMs(spans, 'turn', 20_000)).toBe(9000);
    expect(mergeSpans(spans, 'turn', 20_000)).toHaveLength(1);
  });
});

describe('a trace that is exported', () => {
  it('has what is shown without secrets, says how many were masked, and is read again', async () => {
    const file = new Blob([
      '{"time":1,"direction":"out","message":{"id":1,"method":"x","params":{"token":"canary","env":[{"name":"A","value":"canary"}]}}}\n',
      'something else\n{"time":2,"stderr":"API_KEY=canary"}\n{"time":3,"direction":"in","noise":"Loading"}',
    ]);
    const rows = new RowList();
    const { signal } = new AbortController();
    const read = await readTraceFile(
      file,
      (entries) => {
        for (const { entry, original } of entries) rows.add(entry, original);
      },
      signal,
    );
    expect(read.skippedLines).toBe(1);
    expect(rows.all.map(({ kind }) => kind)).toEqual(['request', 'stderr', 'noise']);
    expect(rows.all.map(({ originals }) => originals[0] !== undefined)).toEqual([true, true, false]);
    expect(rows.all.map((row) => row.text()).join()).not.toContain('canary');
    const { lines, masked } = exportTrace(rows.all);
    expect(masked).toBe(3);
    expect(lines.join('')).not.toContain('canary');
    const again: unknown[] = [];
    await readTraceFile(new Blob([...lines]), (entries) => again.push(...entries), signal);
    expect(again).toHaveLength(3);
  });
});
