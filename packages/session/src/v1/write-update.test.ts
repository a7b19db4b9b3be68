import { v1 } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../event.ts';
import { eventFromV1, eventToV1, stateToV1, toolCallToV1 } from '../index.ts';

/** What a peer of version 1 reads of an event. */
function read(event: SessionEvent, isNewToolCall = false): SessionEvent {
  const update = eventToV1(event, isNewToolCall);
  if (!update) throw new Error('Version 1 has no word for it.');
  return eventFromV1(v1.parseParams('session/update', { sessionId: 's', update }).update);
}

describe('what version 1 cannot say', () => {
  it.each([
    ['paused', 'in_progress'],
    ['cancelled', 'failed'],
    ['completed', 'completed'],
  ] as const)('is said in its words: a tool call that is %s is %s', (status, told) => {
    expect(read({ type: 'tool_call', toolCallId: 'c', status })).toMatchObject({ status: told });
  });

  it('of changes without texts is their patch, or else which files they are; a peer of ours reads the changes again', () => {
    const changes = [
      { operation: 'move' as const, oldPath: '/a', path: '/b' },
      { operation: 'delete' as const, path: '/c' },
    ];
    const told = (patch?: string): SessionEvent => ({
      type: 'tool_call',
      toolCallId: 'c',
      content: [{ type: 'changes', changes, ...(patch !== undefined && { patch }), _meta: { x: 1 } }],
    });
    const text = (words: string): object => ({
      content: [{ type: 'content', content: { type: 'text', text: words } }],
    });
    expect(eventToV1(told(), false)).toMatchObject(text('move /a -> /b\ndelete /c'));
    expect(eventToV1(told('diff --git a/a b/b'), false)).toMatchObject(text('diff --git a/a b/b'));
    for (const event of [told(), told('diff --git a/a b/b')]) expect(read(event)).toEqual(event);
  });

  it.each([null, 'all', { changes: [null] }, { changes: [{ path: 1 }] }])(
    'is read as the text that it is where %j is told of it',
    (changes) => {
      const content = [
        { type: 'content', content: { type: 'text', text: 'x' }, _meta: { 'parley/changes': changes } } as const,
      ];
      expect(eventFromV1({ sessionUpdate: 'tool_call_update', toolCallId: 'c', content: [...content] })).toMatchObject({
        content,
      });
    },
  );

  it('of a plan is a step that was given up', () => {
    const entries = [{ content: 'Try', priority: 'low' as const, status: 'cancelled' as const }];
    expect(read({ type: 'plan', entries })).toMatchObject({ entries: [{ status: 'completed' }] });
  });

  it('is when turns begin and end, except to a client that has asked', () => {
    const state = { type: 'state', state: 'idle', turnId: 't', stopReason: 'end_turn' } as const;
    expect(eventToV1(state, false)).toBeUndefined();
    expect(eventFromV1(stateToV1(state))).toMatchObject(state);
  });
});

describe('a tool call in a question of version 1', () => {
  it('has all that is known of it, and its meta', () => {
    expect(
      toolCallToV1({ toolCallId: 'c', title: 'Edit', status: 'pending', locations: [{ path: '/a' }], meta: { x: 1 } }),
    ).toEqual({ toolCallId: 'c', title: 'Edit', status: 'pending', locations: [{ path: '/a' }], _meta: { x: 1 } });
  });

  it('names the files that it changes without their texts, so that rules see them', () => {
    const changes = [
      { operation: 'move', oldPath: '/a', path: '/b' },
      { operation: 'delete', path: '/c' },
    ];
    expect(
      toolCallToV1({ toolCallId: 'c', locations: [{ path: '/x', line: 1 }], content: [{ type: 'changes', changes }] }),
    ).toMatchObject({ locations: [{ path: '/x', line: 1 }, { path: '/a' }, { path: '/b' }, { path: '/c' }] });
  });
});
