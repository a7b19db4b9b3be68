import type { SessionUpdate, ToolCall, ToolCallUpdate } from '@parley/protocol';
import type { SessionEvent, StateEvent, ToolCallEvent } from '../event.ts';
import { extraOf } from '../extra.ts';
import { META } from '../meta.ts';
import type { FileChange, ToolCallContent } from '../parts.ts';
import { readPlainUpdate } from '../plain-updates.ts';
import { V1_FIELDS } from './known-fields.ts';

/** Reads one v1 update as an event. A variant that v1 does not define becomes an `unknown` event that keeps it whole. */
export function eventFromV1(update: SessionUpdate): SessionEvent {
  const event = readUpdate(update);
  const extra = extraOf(update, V1_FIELDS);
  if (extra) return { ...event, extra, ...(update._meta !== undefined && { meta: update._meta }) };
  return update._meta === undefined ? event : { ...event, meta: update._meta };
}

function readUpdate(update: SessionUpdate): SessionEvent {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      return { type: 'message_chunk', speaker: 'user', ...chunk(update) };
    case 'agent_message_chunk':
      return { type: 'message_chunk', speaker: 'agent', ...chunk(update) };
    case 'agent_thought_chunk':
      return { type: 'thought_chunk', ...chunk(update) };
    case 'tool_call':
    case 'tool_call_update':
      return toolCall(update);
    case 'plan':
      return { type: 'plan', entries: update.entries };
    case 'available_commands_update':
      return { type: 'commands', commands: update.availableCommands };
    case 'current_mode_update':
      return { type: 'mode', modeId: update.currentModeId };
    case 'config_option_update':
      return { type: 'config', options: update.configOptions };
    case 'session_info_update':
      return stateFromV1(update._meta) ?? readPlainUpdate(update);
    case 'usage_update':
    case 'notice':
      return readPlainUpdate(update);
    case 'compaction_update': {
      const { compactionId, status, summary, error } = update;
      return { type: 'compaction', compactionId, status, ...(summary && { summary }), ...(error != null && { error }) };
    }
    case 'compaction_summary_chunk':
      return { type: 'compaction_chunk', compactionId: update.compactionId, content: update.content };
    default:
      return unknownEvent(update);
  }
}

function chunk<Update extends { content: unknown; messageId?: string | null }>(
  update: Update,
): { content: Update['content']; messageId?: string } {
  return update.messageId == null
    ? { content: update.content }
    : { content: update.content, messageId: update.messageId };
}

/** In v1 a null field of an update means "unchanged", so it is left out. */
function toolCall(update: ToolCall | ToolCallUpdate): ToolCallEvent {
  const { toolCallId, title, name, kind, status, content, locations, rawInput, rawOutput } = update;
  return {
    type: 'tool_call',
    toolCallId,
    ...(title != null && { title }),
    ...(name != null && { name }),
    ...(kind != null && { kind }),
    ...(status != null && { status }),
    ...(content != null && { content: content.some(tellsChanges) ? content.map(contentFromV1) : content }),
    ...(locations != null && { locations }),
    ...(rawInput !== undefined && { rawInput }),
    ...(rawOutput !== undefined && { rawOutput }),
  };
}

type V1Content = NonNullable<ToolCall['content']>[number];

function tellsChanges({ type, _meta }: V1Content): boolean {
  return type === 'content' && _meta?.[META.changes] !== undefined;
}

/** Changes that version 1 has as a text, where `_meta` says which ones they are. */
function contentFromV1(content: V1Content): ToolCallContent {
  const told = content._meta?.[META.changes];
  if (content.type !== 'content' || content.content.type !== 'text' || !isTold(told)) return content;
  const { changes, hasPatch, patchFormat } = told;
  const { [META.changes]: _, ...meta } = content._meta ?? {};
  return {
    type: 'changes',
    changes,
    ...(hasPatch === true && { patch: content.content.text }),
    ...(typeof patchFormat === 'string' && { patchFormat }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}

interface ToldChanges {
  readonly changes: readonly FileChange[];
  readonly hasPatch?: unknown;
  readonly patchFormat?: unknown;
}

function isTold(value: unknown): value is ToldChanges {
  if (typeof value !== 'object' || value === null || !('changes' in value) || !Array.isArray(value.changes))
    return false;
  return value.changes.every(
    (each: Partial<FileChange> | null) => typeof each?.operation === 'string' && typeof each.path === 'string',
  );
}

/** What `_meta` says that the session is doing, if it does. */
export function stateFromV1(meta: Readonly<Record<string, unknown>> | null | undefined): StateEvent | undefined {
  const state = meta?.[META.state];
  return isState(state) ? { ...state, type: 'state' } : undefined;
}

const STATES: ReadonlySet<unknown> = new Set<StateEvent['state']>(['running', 'idle', 'requires_action']);

function isState(value: unknown): value is Omit<StateEvent, 'type'> {
  return typeof value === 'object' && value !== null && 'state' in value && STATES.has(value.state);
}

function unknownEvent(update: unknown): SessionEvent {
  const raw = (typeof update === 'object' && update !== null ? update : {}) as Record<string, unknown>;
  return { type: 'unknown', variant: String(raw.sessionUpdate ?? ''), raw };
}
