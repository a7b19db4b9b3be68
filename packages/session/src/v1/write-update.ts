import type { SessionUpdate } from '@parley/protocol';
import type { MessageChunk, SessionEvent, StateEvent, ThoughtChunk, ToolCallEvent } from '../event.ts';
import { META } from './meta.ts';
import { messageToV1, subagentToV1 } from './unstable-updates.ts';

/**
 * Writes an event as a v1 update; undefined when v1 has no word for it. `isNewToolCall` tells whether the peer hears of
 * a tool call for the first time, since v1 announces one (`tool_call`) before it changes it (`tool_call_update`).
 */
export function eventToV1(event: SessionEvent, isNewToolCall: boolean): SessionUpdate | undefined {
  const update = writeEvent(event, isNewToolCall);
  return update && event.meta !== undefined ? { ...update, _meta: event.meta } : update;
}

function writeEvent(event: SessionEvent, isNewToolCall: boolean): SessionUpdate | undefined {
  switch (event.type) {
    case 'message_chunk':
      return chunk(event.speaker === 'user' ? 'user_message_chunk' : 'agent_message_chunk', event);
    case 'thought_chunk':
      return chunk('agent_thought_chunk', event);
    case 'tool_call':
      return toolCall(event, isNewToolCall);
    case 'plan':
      return { sessionUpdate: 'plan', entries: [...event.entries] };
    case 'commands':
      return { sessionUpdate: 'available_commands_update', availableCommands: [...event.commands] };
    case 'mode':
      return { sessionUpdate: 'current_mode_update', currentModeId: event.modeId };
    case 'config':
      return { sessionUpdate: 'config_option_update', configOptions: [...event.options] };
    case 'info': {
      const { title, updatedAt } = event;
      return {
        sessionUpdate: 'session_info_update',
        ...(title !== undefined && { title }),
        ...(updatedAt !== undefined && { updatedAt }),
      };
    }
    case 'usage': {
      const { used, size, cost } = event;
      return { sessionUpdate: 'usage_update', used, size, ...(cost && { cost: { ...cost } }) };
    }
    case 'notice': {
      const { severity, title, description } = event;
      return { sessionUpdate: 'notice', severity, title, ...(description !== undefined && { description }) };
    }
    case 'compaction': {
      const { compactionId, status, summary, error } = event;
      return {
        sessionUpdate: 'compaction_update',
        compactionId,
        status,
        ...(summary && { summary: [...summary] }),
        ...(error !== undefined && { error }),
      };
    }
    case 'compaction_chunk':
      return { sessionUpdate: 'compaction_summary_chunk', compactionId: event.compactionId, content: event.content };
    case 'subagent':
      return subagentToV1(event);
    case 'session_message':
      return messageToV1(event);
    case 'unknown':
      return event.raw as unknown as SessionUpdate;
    case 'state':
    case 'terminal':
    case 'terminal_output':
      return undefined;
  }
}

/** For a client that has asked to hear when turns begin and end: version 1 has no word of its own for it. */
export function stateToV1({ type: _, meta: _meta, ...state }: StateEvent): SessionUpdate {
  return { sessionUpdate: 'session_info_update', _meta: { [META.state]: state } };
}

/** Most of what crosses a wire is this, so it is written without intermediate objects. */
function chunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  { content, messageId }: MessageChunk | ThoughtChunk,
): SessionUpdate {
  return messageId === undefined ? { sessionUpdate, content } : { sessionUpdate, content, messageId };
}

function toolCall(event: ToolCallEvent, isNew: boolean): SessionUpdate {
  const { toolCallId, title, name, kind, status, content, locations, rawInput, rawOutput } = event;
  const fields = {
    toolCallId,
    ...(title !== undefined && { title }),
    ...(name !== undefined && { name }),
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status }),
    ...(content !== undefined && { content: [...content] }),
    ...(locations !== undefined && { locations: [...locations] }),
    ...(rawInput !== undefined && { rawInput }),
    ...(rawOutput !== undefined && { rawOutput }),
  };
  return isNew
    ? { sessionUpdate: 'tool_call', ...fields, title: title ?? name ?? toolCallId }
    : { sessionUpdate: 'tool_call_update', ...fields };
}
