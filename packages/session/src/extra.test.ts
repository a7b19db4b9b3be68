import type { SessionUpdate } from '@parley/protocol';
import type { SessionUpdate as V2Update } from '@parley/protocol/v2';
import { describe, expect, it } from 'vitest';
import { eventFromV1, eventToV1, unstableEventFromV1 } from './index.ts';
import { eventFromV2, eventToV2, TerminalTexts } from './v2/index.ts';

const text = { type: 'text', text: 'hi', zip: 1 };

const V1_UPDATES: readonly object[] = [
  { sessionUpdate: 'agent_message_chunk', content: text, messageId: 'm' },
  { sessionUpdate: 'user_message_chunk', content: text },
  { sessionUpdate: 'agent_thought_chunk', content: text },
  {
    sessionUpdate: 'tool_call',
    toolCallId: 'c',
    title: 'Edit',
    content: [
      { type: 'content', content: text, zip: 1 },
      { type: 'diff', path: '/x', newText: 'b', zip: 1 },
    ],
    locations: [{ path: '/x', line: 1, column: 4 }],
  },
  { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' },
  { sessionUpdate: 'plan', entries: [{ content: 'x', priority: 'high', status: 'pending', zip: 1 }] },
  { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'a', description: 'b', zip: 1 }] },
  { sessionUpdate: 'current_mode_update', currentModeId: 'ask' },
  {
    sessionUpdate: 'config_option_update',
    configOptions: [{ id: 'o', name: 'O', type: 'boolean', currentValue: true, zip: 1 }],
  },
  { sessionUpdate: 'session_info_update', title: 'T' },
  { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 1, currency: 'USD', zip: 1 } },
  { sessionUpdate: 'notice', severity: 'info', title: 'T' },
  { sessionUpdate: 'compaction_update', compactionId: 'k', status: 'in_progress' },
  { sessionUpdate: 'compaction_summary_chunk', compactionId: 'k', content: text },
  { sessionUpdate: '_vendor/kind', what: 1 },
];

describe('what an agent says beside the fields of the specification', () => {
  it.each(V1_UPDATES)('is written again in its place, in version 1: %j', (update) => {
    const sent = { ...update, vendorField: { deep: [1] }, _meta: { trace: 1 } } as unknown as SessionUpdate;
    const isNew = sent.sessionUpdate === 'tool_call';
    expect(eventToV1(eventFromV1(sent), isNew)).toEqual(sent);
  });

  it('is kept in updates that only the unstable schema has', () => {
    const sent = { sessionUpdate: 'subagent_update', sessionId: 's', title: 'T', zip: 1, _meta: { trace: 1 } };
    const event = unstableEventFromV1(sent);
    expect(event && eventToV1(event, false)).toEqual(sent);
  });

  it('is written again in version 2', () => {
    for (const update of [
      { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: text },
      { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed' },
      { sessionUpdate: 'terminal_update', terminalId: 't', command: 'ls' },
      { sessionUpdate: 'usage_update', used: 1, size: 2 },
    ]) {
      const sent = { ...update, vendorField: 1, _meta: { trace: 1 } } as unknown as V2Update;
      expect(eventToV2(eventFromV2(sent, new TerminalTexts()))).toEqual(sent);
    }
  });

  it('costs an event without such fields nothing', () => {
    const sent = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hi' } } as const;
    expect(eventFromV1(sent)).toStrictEqual({ type: 'message_chunk', speaker: 'agent', content: sent.content });
  });

  it('is left out where another version takes the name for a field of its own', () => {
    const sent = { sessionUpdate: 'tool_call_update', toolCallId: 'c', capabilities: 5 } as unknown as SessionUpdate;
    expect(eventToV1(eventFromV1(sent), false)).toEqual(sent);
    expect(eventToV2(eventFromV1(sent))).toEqual({ sessionUpdate: 'tool_call_update', toolCallId: 'c' });
  });
});
