import { type SessionUpdate, v2 } from '@parley/protocol/v2';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../event.ts';
import { applyEvent } from '../transcript/apply-event.ts';
import { getToolCall } from '../transcript/apply-tool-call.ts';
import { createTranscript } from '../transcript/transcript.ts';
import { eventFromV2, TerminalTexts } from './index.ts';

function read(update: Readonly<Record<string, unknown>>): SessionEvent {
  const params = v2.parseParams('session/update', { sessionId: 's', update });
  return eventFromV2(params.update, new TerminalTexts());
}

describe('null in an update of version 2', () => {
  it('takes back what was told of a tool call', () => {
    const before: SessionEvent = {
      type: 'tool_call',
      toolCallId: 'c',
      title: 'Edit',
      name: 'edit',
      kind: 'edit',
      status: 'completed',
      content: [{ type: 'terminal', terminalId: 't' }],
      locations: [{ path: '/a' }],
      canCancel: true,
    };
    const cleared = read({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      title: null,
      name: null,
      kind: null,
      status: null,
      content: null,
      locations: null,
      capabilities: null,
    });
    const transcript = [before, cleared].reduce((told, event) => applyEvent(told, event), createTranscript());
    expect(getToolCall(transcript, 'c')).toEqual({
      type: 'tool_call',
      origin: 'live',
      toolCallId: 'c',
      title: 'c',
      kind: 'other',
      status: 'pending',
      content: [],
      locations: [],
      canCancel: false,
    });
  });

  it('empties a message, a summary and the output of a terminal', () => {
    expect(read({ sessionUpdate: 'agent_message', messageId: 'm', content: null })).toMatchObject({ content: [] });
    expect(
      read({ sessionUpdate: 'compaction_update', compactionId: 'x', status: 'failed', summary: null, error: null }),
    ).toEqual({ type: 'compaction', compactionId: 'x', status: 'failed', summary: [] });
    expect(
      read({
        sessionUpdate: 'terminal_update',
        terminalId: 't',
        command: null,
        output: null,
        size: null,
        exitStatus: null,
      }),
    ).toEqual({ type: 'terminal', terminalId: 't', command: null, output: '', size: null });
  });

  it('is no stop reason and no background', () => {
    expect(read({ sessionUpdate: 'state_update', state: 'idle', stopReason: null, background: null })).toEqual({
      type: 'state',
      state: 'idle',
    });
  });
});

describe('what version 2 does not define', () => {
  it.each([
    ['an update', { sessionUpdate: '_own', data: [1] }],
    ['an update of tomorrow', { sessionUpdate: 'of_tomorrow' }],
    ['a state', { sessionUpdate: 'state_update', state: '_asleep', until: 5 }],
    ['a plan', { sessionUpdate: 'plan_update', plan: { type: '_graph', planId: 'p', edges: [] } }],
    ['a mode, which is of version 1', { sessionUpdate: 'current_mode_update', currentModeId: 'm' }],
  ])('is kept whole: %s', (_name, update) => {
    expect(read(update)).toEqual({ type: 'unknown', variant: update.sessionUpdate, raw: update });
  });

  it('is kept whole: content, parts of tool calls, background work', () => {
    const block = { type: '_video', frames: 3 };
    expect(read({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: block })).toMatchObject({
      content: block,
    });
    expect(read({ sessionUpdate: 'user_message', messageId: 'm', content: [block] })).toMatchObject({
      content: [block],
    });
    const parts = [block, { type: 'content', content: block }, { type: 'diff', changes: [{ operation: '_all' }] }];
    expect(read({ sessionUpdate: 'tool_call_update', toolCallId: 'c', content: parts })).toMatchObject({
      content: [{ type: 'unknown', raw: block }, parts[1], { type: 'unknown', raw: parts[2] }],
    });
    expect(read({ sessionUpdate: 'state_update', state: 'idle', background: [block] })).toMatchObject({
      background: [{ type: 'unknown', raw: block }],
    });
  });

  it('is kept whole: output that is no base64', () => {
    for (const update of [
      { sessionUpdate: 'terminal_output_chunk', terminalId: 't', data: '%' },
      { sessionUpdate: 'terminal_update', terminalId: 't', output: { data: '%' } },
    ]) {
      expect(read(update)).toEqual({ type: 'unknown', variant: update.sessionUpdate, raw: update });
    }
  });
});

describe('an update of version 2', () => {
  it('says that a terminal has ended, also where nothing is known of how', () => {
    expect(read({ sessionUpdate: 'terminal_update', terminalId: 't', exitStatus: {} })).toMatchObject({
      exitCode: null,
    });
    expect(read({ sessionUpdate: 'terminal_update', terminalId: 't', exitStatus: { signal: 'SIGKILL' } })).toEqual({
      type: 'terminal',
      terminalId: 't',
      signal: 'SIGKILL',
    });
  });

  it('that ends in an error without details has an error all the same', () => {
    expect(read({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'error' })).toMatchObject({
      stopReason: 'error',
      error: { code: -32603 },
    });
  });

  it('joins characters that were cut between chunks of a terminal', () => {
    const terminals = new TerminalTexts();
    const chunk = (data: string): SessionEvent =>
      eventFromV2({ sessionUpdate: 'terminal_output_chunk', terminalId: 't', data } as SessionUpdate, terminals);
    expect([chunk('w7zD'), chunk('vA==')]).toMatchObject([{ text: 'ü' }, { text: 'ü' }]);
  });
});
