import {
  isNewFile,
  type SessionUpdate,
  shownContent,
  shownDiff,
  shownTerminal,
  shownText,
  textBlock,
  textOfToolCall,
  validators,
} from '@parley/protocol';
import {
  applyToolCallUpdate,
  diffsOf,
  entriesWithStatus,
  filterToolCalls,
  hasFailedToolCall,
  isFinalStatus,
  latestPlan,
  latestToolCalls,
  planEntry,
  planProgress,
  summarizeUpdates,
  toolCallStatus,
} from '@parley/protocol/helpers';
import { describe, expect, it } from 'vitest';

const updates: SessionUpdate[] = [
  { sessionUpdate: 'plan', entries: [planEntry('old')] },
  { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Read file', kind: 'read' },
  { sessionUpdate: 'agent_message_chunk', content: textBlock('Done.') },
  { sessionUpdate: 'tool_call', toolCallId: 'b', title: 'npm test', status: 'in_progress', content: [shownText('1')] },
  { sessionUpdate: 'tool_call_update', toolCallId: 'b', status: 'failed', title: null, content: [shownText('2')] },
  { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed' },
  { sessionUpdate: 'plan', entries: [planEntry('one', { status: 'completed' }), planEntry('two'), planEntry('three')] },
];

describe('tool calls', () => {
  it('are known by their latest state, in the order of first mention', () => {
    expect(latestToolCalls(updates)).toEqual([
      { toolCallId: 'a', title: 'Read file', kind: 'read', status: 'completed' },
      { toolCallId: 'b', title: 'npm test', status: 'failed', content: [shownText('2')] },
    ]);
  });

  it('change only in the fields that an update names', () => {
    const call = { toolCallId: 'a', title: 'x', locations: [{ path: '/a' }], rawInput: { a: 1 } };
    expect(applyToolCallUpdate(call, { toolCallId: 'a', kind: 'edit', locations: [], title: null })).toEqual({
      ...call,
      kind: 'edit',
      locations: [],
    });
  });

  it('exist even when their beginning was missed', () => {
    expect(latestToolCalls([{ sessionUpdate: 'tool_call_update', toolCallId: 'z', status: 'completed' }])).toEqual([
      { toolCallId: 'z', title: '', status: 'completed' },
    ]);
  });

  it('are pending when nothing is said', () => {
    expect(toolCallStatus({})).toBe('pending');
    expect((['pending', 'in_progress', 'completed', 'failed'] as const).filter(isFinalStatus)).toEqual([
      'completed',
      'failed',
    ]);
  });

  it('can be filtered by status and title', () => {
    const calls = latestToolCalls(updates);
    expect(filterToolCalls(calls, { status: 'failed' }).map(({ toolCallId }) => toolCallId)).toEqual(['b']);
    expect(filterToolCalls(calls, { title: 'Read' })).toHaveLength(1);
    expect(filterToolCalls(calls, { title: /^npm/ })).toHaveLength(1);
    expect(filterToolCalls(calls, { status: 'completed', title: 'npm' })).toEqual([]);
    expect(hasFailedToolCall(calls)).toBe(true);
  });

  it('show content, diffs and terminals that the validator accepts', () => {
    const shown = [
      shownText('x'),
      shownContent(textBlock('y')),
      shownDiff({ path: '/a', newText: 'b' }),
      shownDiff({ path: '/a', oldText: '', newText: 'b' }),
      shownTerminal('t'),
    ];
    for (const item of shown) expect(validators.ToolCallContent(item)).toBe(item);
    expect(diffsOf(shown).map(isNewFile)).toEqual([true, false]);
    expect(textOfToolCall(shown)).toBe('x\ny');
    expect(diffsOf(null)).toEqual([]);
  });
});

describe('plans', () => {
  it('are replaced as a whole', () => {
    expect(latestPlan(updates).map(({ content }) => content)).toEqual(['one', 'two', 'three']);
    expect(latestPlan([])).toEqual([]);
  });

  it('know how far they are', () => {
    expect(planProgress(latestPlan(updates))).toBe(33);
    expect(planProgress([])).toBe(100);
    expect(entriesWithStatus(latestPlan(updates), 'pending')).toHaveLength(2);
  });
});

it('sums up a turn', () => {
  expect(summarizeUpdates(updates)).toMatchObject({
    text: 'Done.',
    thoughts: '',
    toolCalls: [{ toolCallId: 'a' }, { toolCallId: 'b' }],
    completedToolCalls: [{ toolCallId: 'a' }],
    failedToolCalls: [{ toolCallId: 'b' }],
    planProgress: 33,
    hasErrors: true,
  });
});
