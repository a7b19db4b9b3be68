import { v2 } from '@parley/protocol/v2';
import { v2Unstable } from '@parley/protocol/v2/unstable';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../event.ts';
import { eventFromV2, eventToV2, TerminalTexts } from './index.ts';

/** What crosses the wire; each schema must take it as it is. */
function write(event: SessionEvent): unknown {
  const update = eventToV2(event);
  if (!update) throw new Error('Version 2 has no word for it.');
  const params = { sessionId: 's', update };
  expect(v2.parseParams('session/update', params)).toEqual(params);
  expect(v2Unstable.parseParams('session/update', params)).toEqual(params);
  return update;
}

const text = (words: string): { type: 'text'; text: string } => ({ type: 'text', text: words });

/** Events that come back as they were, and how version 2 says them. */
const SAME: readonly (readonly [SessionEvent, Readonly<Record<string, unknown>>])[] = [
  [
    { type: 'message_chunk', speaker: 'user', messageId: 'm', content: text('hi') },
    { sessionUpdate: 'user_message_chunk', messageId: 'm', content: text('hi') },
  ],
  [
    { type: 'message_chunk', speaker: 'agent', messageId: 'm', content: text('hi'), meta: { a: 1 } },
    { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text('hi'), _meta: { a: 1 } },
  ],
  [
    { type: 'thought_chunk', messageId: 'm', content: text('hm') },
    { sessionUpdate: 'agent_thought_chunk', messageId: 'm', content: text('hm') },
  ],
  [
    { type: 'whole_message', speaker: 'user', messageId: 'm', content: [text('hi')] },
    { sessionUpdate: 'user_message', messageId: 'm', content: [text('hi')] },
  ],
  [
    { type: 'whole_message', speaker: 'agent', messageId: 'm', meta: { a: null } },
    { sessionUpdate: 'agent_message', messageId: 'm', _meta: { a: null } },
  ],
  [
    { type: 'whole_thought', messageId: 'm', content: [] },
    { sessionUpdate: 'agent_thought', messageId: 'm', content: [] },
  ],
  [
    { type: 'tool_call', toolCallId: 'c', title: null, name: null, kind: '_own', status: 'paused', canCancel: true },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      title: null,
      name: null,
      kind: '_own',
      status: 'paused',
      capabilities: { cancel: {} },
    },
  ],
  [
    { type: 'tool_call', toolCallId: 'c', canCancel: false, meta: null },
    { sessionUpdate: 'tool_call_update', toolCallId: 'c', capabilities: null, _meta: null },
  ],
  [
    { type: 'tool_call_chunk', toolCallId: 'c', content: { type: 'terminal', terminalId: 't' } },
    { sessionUpdate: 'tool_call_content_chunk', toolCallId: 'c', content: { type: 'terminal', terminalId: 't' } },
  ],
  [
    { type: 'tool_call_chunk', toolCallId: 'c', content: { type: 'unknown', raw: { type: '_chart', points: [1] } } },
    { sessionUpdate: 'tool_call_content_chunk', toolCallId: 'c', content: { type: '_chart', points: [1] } },
  ],
  [
    { type: 'state', state: 'running', turnId: 't1', background: [{ type: 'terminal', terminalId: 't' }] },
    {
      sessionUpdate: 'state_update',
      state: 'running',
      background: [{ type: 'terminal', terminalId: 't' }],
      _meta: { 'parley/state': { turnId: 't1' } },
    },
  ],
  [
    { type: 'state', state: 'requires_action' },
    { sessionUpdate: 'state_update', state: 'requires_action' },
  ],
  [
    { type: 'state', state: 'idle', turnId: 't1', stopReason: 'end_turn', meta: { a: 1 } },
    {
      sessionUpdate: 'state_update',
      state: 'idle',
      stopReason: 'end_turn',
      _meta: { 'parley/state': { turnId: 't1' }, a: 1 },
    },
  ],
  [
    { type: 'state', state: 'idle', stopReason: 'error', error: { code: -32603, message: 'Out of memory' } },
    {
      sessionUpdate: 'state_update',
      state: 'idle',
      stopReason: 'error',
      error: { code: -32603, message: 'Out of memory' },
    },
  ],
  [
    {
      type: 'terminal',
      terminalId: 't',
      command: 'ls',
      cwd: '/w',
      output: 'ü',
      exitCode: 0,
      signal: null,
      size: { cols: 80, rows: 24 },
      canCancel: false,
    },
    {
      sessionUpdate: 'terminal_update',
      terminalId: 't',
      command: 'ls',
      cwd: '/w',
      output: { data: 'w7w=' },
      exitStatus: { exitCode: 0, signal: null },
      size: { cols: 80, rows: 24 },
      capabilities: null,
    },
  ],
  [
    { type: 'terminal_output', terminalId: 't', text: 'ls\n' },
    { sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: 'bHMK' },
  ],
  [
    { type: 'plan', planId: 'p', entries: [{ content: 'Do', priority: 'low', status: 'cancelled' }] },
    {
      sessionUpdate: 'plan_update',
      plan: { type: 'items', planId: 'p', entries: [{ content: 'Do', priority: 'low', status: 'cancelled' }] },
    },
  ],
  [
    { type: 'plan', planId: 'p', entries: [], document: { uri: 'file:///p.md' } },
    { sessionUpdate: 'plan_update', plan: { type: 'file', planId: 'p', uri: 'file:///p.md' } },
  ],
  [
    { type: 'plan', planId: 'p', entries: [], document: { markdown: '# Do' } },
    { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# Do' } },
  ],
  [
    { type: 'plan', planId: 'p', entries: [], isRemoved: true },
    { sessionUpdate: 'plan_removed', planId: 'p' },
  ],
  [
    { type: 'info', title: null },
    { sessionUpdate: 'session_info_update', title: null },
  ],
  [
    { type: 'usage', used: 1, size: 2 },
    { sessionUpdate: 'usage_update', used: 1, size: 2 },
  ],
  [
    { type: 'notice', severity: '_odd', title: 'Slow' },
    { sessionUpdate: 'notice', severity: '_odd', title: 'Slow' },
  ],
  [
    { type: 'compaction', compactionId: 'x', status: 'completed', summary: [text('All')] },
    { sessionUpdate: 'compaction_update', compactionId: 'x', status: 'completed', summary: [text('All')] },
  ],
  [
    { type: 'compaction_chunk', compactionId: 'x', content: text('A') },
    { sessionUpdate: 'compaction_summary_chunk', compactionId: 'x', content: text('A') },
  ],
  [
    { type: 'subagent', sessionId: 's2', title: 'Tester', state: { state: 'running' }, cwd: null },
    { sessionUpdate: 'subagent_update', sessionId: 's2', title: 'Tester', state: { state: 'running' }, cwd: null },
  ],
  [
    { type: 'session_message', messageId: 'm', senderSessionId: 's2', content: [text('Done')] },
    { sessionUpdate: 'session_message', messageId: 'm', senderSessionId: 's2', content: [text('Done')] },
  ],
  [
    { type: 'unknown', variant: '_own', raw: { sessionUpdate: '_own', data: 1 } },
    { sessionUpdate: '_own', data: 1 },
  ],
];

describe('an event in version 2', () => {
  it.each(SAME)('%j is said in its words and read back as it was', (event, update) => {
    expect(write(event)).toEqual(update);
    expect(eventFromV2(update as Parameters<typeof eventFromV2>[0], new TerminalTexts())).toEqual(event);
  });

  it('that changes a file by its texts has a patch of them', () => {
    const changed: SessionEvent = {
      type: 'tool_call',
      toolCallId: 'c',
      content: [
        { type: 'diff', path: '/w/a', oldText: 'a\n', newText: 'b\n' },
        { type: 'diff', path: '/w/b', newText: 'b\n', _meta: { x: 1 } },
        { type: 'diff', path: '/w/c', oldText: 'same', newText: 'same' },
      ],
    };
    const patch = (name: string, lines: string): object => ({
      format: 'git_patch',
      text: `diff --git a/w/${name} b/w/${name}\n${lines}`,
    });
    expect(write(changed)).toMatchObject({
      content: [
        {
          type: 'diff',
          changes: [{ operation: 'modify', path: '/w/a', fileType: 'text' }],
          patch: patch('a', '--- a/w/a\n+++ b/w/a\n@@ -1,1 +1,1 @@\n-a\n+b\n'),
        },
        {
          type: 'diff',
          changes: [{ operation: 'add', path: '/w/b', fileType: 'text' }],
          patch: patch('b', 'new file mode 100644\n--- /dev/null\n+++ b/w/b\n@@ -0,0 +1,1 @@\n+b\n'),
          _meta: { x: 1 },
        },
        { type: 'diff', changes: [{ operation: 'modify', path: '/w/c', fileType: 'text' }] },
      ],
    });
  });

  it('that has changes keeps what is said of them, and their patch in its format', () => {
    const changes = [
      { operation: 'move', oldPath: '/a', path: '/b', mimeType: 'text/plain' },
      { operation: '_swap', path: '/c', with: '/d' },
    ];
    for (const patch of [{}, { patch: 'diff' }, { patch: '…', patchFormat: '_own' }]) {
      const event: SessionEvent = {
        type: 'tool_call',
        toolCallId: 'c',
        content: [{ type: 'changes', changes, ...patch }],
      };
      const update = write(event) as Parameters<typeof eventFromV2>[0];
      expect(eventFromV2(update, new TerminalTexts())).toEqual(event);
    }
  });

  it('of a plan without an id has one', () => {
    expect(write({ type: 'plan', entries: [] })).toEqual({
      sessionUpdate: 'plan_update',
      plan: { type: 'items', planId: 'default', entries: [] },
    });
  });

  it('that sets the mode is none: its option says it', () => {
    expect(eventToV2({ type: 'mode', modeId: 'plan' })).toBeUndefined();
  });

  it('is not written for a chunk whose message has no id', () => {
    expect(() => eventToV2({ type: 'thought_chunk', content: text('') })).toThrow('give it one');
  });

  it.each([
    ['file:///a', 'file:///a'],
    ['/home/me/a b', 'file:///home/me/a%20b'],
    ['C:\\me\\a', 'file:///C:/me/a'],
    ['src/a b.ts', 'urn:src%2Fa%20b.ts'],
  ])('has %s as the address %s', (address, uri) => {
    const link = { type: 'resource_link', name: 'a', uri: address } as const;
    const resource = { type: 'resource', resource: { uri: address, text: 'A' } } as const;
    expect(write({ type: 'whole_message', speaker: 'user', messageId: 'm', content: [link, resource] })).toMatchObject({
      content: [
        { ...link, uri },
        { ...resource, resource: { uri, text: 'A' } },
      ],
    });
    expect(write({ type: 'message_chunk', speaker: 'user', messageId: 'm', content: link })).toMatchObject({
      content: { ...link, uri },
    });
  });
});
