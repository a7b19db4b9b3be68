import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type History, type HistoryMessage, type ToolResult, toolCallsOf } from './history.ts';
import { repairHistory } from './repair-history.ts';

const user = (text: string): HistoryMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (...ids: string[]): HistoryMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_call', id, name: 'read_file', input: {} })),
});
const result = (id: string): ToolResult => ({
  toolCallId: id,
  toolName: 'read_file',
  content: [{ type: 'text', text: `result ${id}` }],
  isError: false,
});
const results = (...ids: string[]): HistoryMessage => ({ role: 'tool', results: ids.map(result) });

describe('repairHistory', () => {
  it('leaves a good history as it is', () => {
    const history = [user('hi'), call('a', 'b'), results('a', 'b'), user('more')];
    expect(repairHistory(history)).toEqual(history);
  });

  it('answers calls that nobody answered, and says that they were interrupted', () => {
    const repaired = repairHistory([user('hi'), call('a', 'b'), results('a'), user('more')]);
    expect(repaired[2]).toMatchObject({
      role: 'tool',
      results: [
        { toolCallId: 'a', isError: false },
        { toolCallId: 'b', isError: true },
      ],
    });
  });

  it('drops results without a call and messages without content', () => {
    const silent: HistoryMessage = { role: 'assistant', content: [{ type: 'thought', text: 'only thinking' }] };
    expect(repairHistory([user('hi'), results('x'), silent, { role: 'assistant', content: [] }])).toEqual([user('hi')]);
  });

  it('moves results behind their call when a message came between', () => {
    const repaired = repairHistory([user('hi'), call('a'), user('wait'), results('a')]);
    expect(repaired.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  it('keeps apart calls of different answers that share an id', () => {
    const repaired = repairHistory([user('hi'), call('0'), user('again'), call('0'), results('0')]);
    expect(repaired[2]).toMatchObject({ results: [{ isError: true }] });
    expect(repaired[5]).toMatchObject({ results: [{ isError: false }] });
  });

  it('makes every history pair its calls, and is done after one pass', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const message = fc.oneof(
      fc.string().map(user),
      fc.uniqueArray(id).map((ids) => call(...ids)),
      fc.uniqueArray(id).map((ids) => results(...ids)),
    );
    fc.assert(
      fc.property(fc.array(message), (history: History) => {
        const repaired = repairHistory(history);
        for (const [index, entry] of repaired.entries()) {
          const next = repaired[index + 1];
          const called = entry.role === 'assistant' ? toolCallsOf(entry).map((part) => part.id) : [];
          const answered = next?.role === 'tool' ? next.results.map(({ toolCallId }) => toolCallId) : [];
          expect(answered).toEqual(called);
        }
        expect(repairHistory(repaired)).toEqual(repaired);
      }),
      { seed: 8, numRuns: 300 },
    );
  });
});
