import type {
  SessionUpdate,
  ToolCall,
  ToolCallUpdate,
  ToolCallContent as V1Content,
  PlanEntry as V1PlanEntry,
  ToolCallStatus as V1Status,
} from '@parley/protocol';
import type { MessageChunk, SessionEvent, StateEvent, ThoughtChunk, ToolCallEvent } from '../event.ts';
import { type PlanEntry, type ToolCallContent, type ToolCallStatus, textOfChanges } from '../parts.ts';
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
      return { sessionUpdate: 'plan', entries: planEntriesToV1(event.entries) };
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
  const fields = toolCallFields(event);
  const { toolCallId, title, name } = event;
  return isNew
    ? { sessionUpdate: 'tool_call', ...fields, title: title ?? name ?? toolCallId }
    : { sessionUpdate: 'tool_call_update', ...fields };
}

function toolCallFields(event: Omit<ToolCallEvent, 'type' | 'meta'>): ToolCallFields {
  const { toolCallId, title, name, kind, status, content, locations, rawInput, rawOutput } = event;
  return {
    toolCallId,
    ...(title !== undefined && { title }),
    ...(name !== undefined && { name }),
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status: statusToV1(status) }),
    ...(content !== undefined && { content: content.map(contentToV1) }),
    ...(locations !== undefined && { locations: [...locations] }),
    ...(rawInput !== undefined && { rawInput }),
    ...(rawOutput !== undefined && { rawOutput }),
  };
}

/** What both kinds of update have; in version 1 nothing of it is null. */
type ToolCallFields = Partial<Omit<ToolCall, 'toolCallId' | '_meta'>> & Pick<ToolCall, 'toolCallId'>;

/** All that is known of a tool call, as a permission request of version 1 shows it. */
export function toolCallToV1({ meta, ...event }: Omit<ToolCallEvent, 'type'>): ToolCallUpdate {
  return { ...toolCallFields(event), ...(meta !== undefined && { _meta: meta }) };
}

/** Version 1 knows no pause, and calls failed what was cancelled. */
function statusToV1(status: ToolCallStatus): V1Status {
  if (status === 'paused') return 'in_progress';
  return status === 'cancelled' ? 'failed' : status;
}

/** Version 1 shows changes of files by their texts; of changes without texts it shows the patch, or which files they are. */
function contentToV1(content: ToolCallContent): V1Content {
  if (content.type !== 'changes') return content;
  const { _meta } = content;
  const text = textOfChanges(content);
  return { type: 'content', content: { type: 'text', text }, ...(_meta !== undefined && { _meta }) };
}

/** Version 1 has no steps that were given up: nobody works on them any more. */
export function planEntriesToV1(entries: readonly PlanEntry[]): V1PlanEntry[] {
  return entries.map((entry) => ({ ...entry, status: entry.status === 'cancelled' ? 'completed' : entry.status }));
}
