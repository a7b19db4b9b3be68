import type {
  SessionUpdate,
  ToolCall,
  ToolCallUpdate,
  ToolCallContent as V1Content,
  PlanEntry as V1PlanEntry,
  ToolCallStatus as V1Status,
  StopReason as V1StopReason,
} from '@parley/protocol';
import type {
  MessageChunk,
  SessionEvent,
  StateEvent,
  ThoughtChunk,
  ToolCallEvent,
  WithExtra,
  WithMeta,
} from '../event.ts';
import { type Extra, otherFields, withExtra } from '../extra.ts';
import { META } from '../meta.ts';
import {
  type FileChange,
  knownToolKind,
  type Location,
  type PlanEntry,
  type StopReason,
  type ToolCallContent,
  type ToolCallStatus,
  textOfChanges,
} from '../parts.ts';
import { writePlainEvent } from '../plain-updates.ts';
import { V1_FIELDS, V1_TOOL_CALL_FIELDS } from './known-fields.ts';
import { messageToV1, subagentToV1 } from './unstable-updates.ts';

/**
 * Writes an event as a v1 update; undefined when v1 has no word for it. `isNewToolCall` tells whether the peer hears of
 * a tool call for the first time, since v1 announces one (`tool_call`) before it changes it (`tool_call_update`).
 */
export function eventToV1(event: SessionEvent, isNewToolCall: boolean): SessionUpdate | undefined {
  const update = writeEvent(event, isNewToolCall);
  return update && besideFields(update, event);
}

/** An update with what came beside its fields: `_meta`, and what the specification does not know. */
export function besideFields(update: SessionUpdate, { meta, extra }: WithMeta & WithExtra): SessionUpdate {
  const whole = extra === undefined ? update : withExtra(update, extra, V1_FIELDS);
  return meta === undefined ? whole : { ...whole, _meta: meta };
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
    case 'info':
    case 'usage':
    case 'notice':
      return writePlainEvent(event);
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
    case 'whole_message':
    case 'whole_thought':
    case 'tool_call_chunk':
    case 'state':
    case 'terminal':
    case 'terminal_output':
      return undefined;
  }
}

/** For a client that has asked to hear when turns begin and end: version 1 has no word of its own for it. */
export function stateToV1({
  type: _,
  meta: _meta,
  extra: _extra,
  tokens: _tokens,
  ...state
}: StateEvent): SessionUpdate {
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

function toolCallFields(event: Omit<ToolCallEvent, 'type' | 'meta' | 'extra'>): ToolCallFields {
  const { toolCallId, title, name, kind, status, content, locations, rawInput, rawOutput } = event;
  return {
    toolCallId,
    // Version 1 changes a title and a name, and takes neither back.
    ...(title != null && { title }),
    ...(name != null && { name }),
    ...(kind !== undefined && { kind: knownToolKind(kind) }),
    ...(status !== undefined && { status: statusToV1(status) }),
    ...(content !== undefined && { content: content.map(contentToV1) }),
    ...(locations !== undefined && { locations: [...locations] }),
    ...(rawInput !== undefined && { rawInput }),
    ...(rawOutput !== undefined && { rawOutput }),
  };
}

/** What both kinds of update have; in version 1 nothing of it is null. */
type ToolCallFields = Partial<Omit<ToolCall, 'toolCallId' | '_meta'>> & Pick<ToolCall, 'toolCallId'>;

/**
 * All that is known of a tool call, as a permission request of version 1 shows it. Files that it changes without their texts are
 * among its locations, since rules go by them.
 */
export function toolCallToV1({ meta, extra, ...event }: Omit<ToolCallEvent, 'type'>): ToolCallUpdate {
  const changed = (event.content ?? []).flatMap((part) =>
    part.type === 'changes' ? part.changes.flatMap(placesOf) : [],
  );
  const fields = toolCallFields(event);
  const own = extra ? ownMeta(meta, extra) : meta;
  return {
    ...fields,
    ...(changed.length > 0 && { locations: [...(fields.locations ?? []), ...changed] }),
    ...(extra && otherFields(extra, V1_TOOL_CALL_FIELDS)),
    ...(own !== undefined && { _meta: own }),
  };
}

/** `_meta` without what was put there from beside it, for views that look nowhere else. */
export function ownMeta(meta: WithMeta['meta'], extra: Extra): WithMeta['meta'] {
  if (!meta) return meta;
  const own = Object.entries(meta).filter(([name, value]) => !Object.hasOwn(extra, name) || extra[name] !== value);
  return own.length > 0 ? Object.fromEntries(own) : undefined;
}

function placesOf({ path, oldPath }: FileChange): Location[] {
  return oldPath === undefined ? [{ path }] : [{ path: oldPath }, { path }];
}

/** Version 1 knows no pause, and calls failed what was cancelled. A call of which an unknown word is said goes on. */
function statusToV1(status: ToolCallStatus): V1Status {
  if (status === 'pending' || status === 'completed' || status === 'failed') return status as V1Status;
  return status === 'cancelled' ? 'failed' : 'in_progress';
}

/** Version 1 shows changes of files by their texts; of changes without texts it shows the patch, or which files they are. */
function contentToV1(content: ToolCallContent): V1Content {
  if (content.type === 'unknown') return textToV1(JSON.stringify(content.raw), content._meta);
  if (content.type !== 'changes') return content;
  const { type: _, patch, _meta, ...facts } = content;
  return textToV1(textOfChanges(content), { ..._meta, [META.changes]: { ...facts, hasPatch: patch !== undefined } });
}

function textToV1(text: string, _meta: ToolCallContent['_meta']): V1Content {
  return { type: 'content', content: { type: 'text', text }, ...(_meta !== undefined && { _meta }) };
}

/** Version 1 has no steps that were given up: nobody works on them any more. Words that it does not know are the plainest that it does. */
export function planEntriesToV1(entries: readonly PlanEntry[]): V1PlanEntry[] {
  return entries.map((entry) => ({
    ...entry,
    priority: oneOf(PRIORITIES, entry.priority) ?? 'medium',
    status: entry.status === 'cancelled' ? 'completed' : (oneOf(STATUSES, entry.status) ?? 'pending'),
  }));
}

const PRIORITIES: readonly V1PlanEntry['priority'][] = ['high', 'medium', 'low'];
const STATUSES: readonly V1PlanEntry['status'][] = ['pending', 'in_progress', 'completed'];

function oneOf<Word extends string>(words: readonly Word[], word: string): Word | undefined {
  return words.find((each) => each === word);
}

/** Version 1 has a fixed list of reasons; a turn that ended for another one has come to its end. */
export function stopReasonToV1(reason: StopReason): V1StopReason {
  return oneOf(STOP_REASONS, reason) ?? 'end_turn';
}

const STOP_REASONS: readonly V1StopReason[] = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'];
