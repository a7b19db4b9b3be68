import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../model/model.ts';
import { addMerged } from './merge-events.ts';

const merged = (...events: readonly ModelEvent[]): readonly ModelEvent[] => {
  const result: ModelEvent[] = [];
  for (const event of events) addMerged(result, event);
  return result;
};
const signature = { modelId: 'm', value: 's' };

describe('events that arrive together', () => {
  it('are joined where they are pieces of one thing', () => {
    expect(
      merged(
        { type: 'thought', text: 'a' },
        { type: 'thought', text: 'b' },
        { type: 'text', text: 'c' },
        { type: 'text', text: 'd' },
        { type: 'tool_call_start', id: '1', name: 't' },
        { type: 'tool_call_delta', id: '1', delta: '{' },
        { type: 'tool_call_delta', id: '1', delta: '}' },
        { type: 'tool_call_delta', id: '2', delta: '{}' },
      ),
    ).toEqual([
      { type: 'thought', text: 'ab' },
      { type: 'text', text: 'cd' },
      { type: 'tool_call_start', id: '1', name: 't' },
      { type: 'tool_call_delta', id: '1', delta: '{}' },
      { type: 'tool_call_delta', id: '2', delta: '{}' },
    ]);
  });

  it('stay apart behind a signature', () => {
    expect(
      merged({ type: 'thought', text: 'a' }, { type: 'thought', text: '', signature }, { type: 'thought', text: 'b' }),
    ).toEqual([
      { type: 'thought', text: 'a', signature },
      { type: 'thought', text: 'b' },
    ]);
  });
});
