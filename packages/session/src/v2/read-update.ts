import type { SessionUpdate, StateUpdate, TerminalUpdate, ToolCallUpdate } from '@parley/protocol/v2';
import type { SessionEvent, StateEvent, TerminalEvent, ToolCallEvent } from '../event.ts';
import { extraOf } from '../extra.ts';
import { META } from '../meta.ts';
import type { Content } from '../parts.ts';
import { readPlainUpdate } from '../plain-updates.ts';
import { backgroundFromV2, blocksFromV2, contentFromV2 } from './content.ts';
import { V2_FIELDS } from './known-fields.ts';
import { commandsFromV2, configOptionsFromV2 } from './settings.ts';
import type { TerminalTexts } from './terminal-texts.ts';
import { planFromV2, unstableEventFromV2 } from './unstable-updates.ts';

/**
 * Reads one v2 update as an event; `terminals` are those of the session that it belongs to. A variant that version 2 does not define
 * becomes an `unknown` event that keeps it whole.
 */
export function eventFromV2(update: SessionUpdate, terminals: TerminalTexts): SessionEvent {
  const read = readUpdate(update as KnownUpdate, terminals);
  const extra = read && extraOf(update as KnownUpdate, V2_FIELDS);
  const event = read ? (extra ? { ...read, extra } : read) : unknownEvent(update);
  const meta = (update as { readonly _meta?: SessionEvent['meta'] })._meta;
  if (meta === undefined) return event;
  return event.type === 'state' ? withTurn(event, meta) : { ...event, meta };
}

type KnownUpdate = Known<SessionUpdate, 'sessionUpdate'>;

function readUpdate(update: KnownUpdate, terminals: TerminalTexts): SessionEvent | undefined {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      return { type: 'message_chunk', speaker: 'user', content: block(update.content), messageId: update.messageId };
    case 'agent_message_chunk':
      return { type: 'message_chunk', speaker: 'agent', content: block(update.content), messageId: update.messageId };
    case 'agent_thought_chunk':
      return { type: 'thought_chunk', content: block(update.content), messageId: update.messageId };
    case 'user_message':
      return { type: 'whole_message', speaker: 'user', ...whole(update) };
    case 'agent_message':
      return { type: 'whole_message', speaker: 'agent', ...whole(update) };
    case 'agent_thought':
      return { type: 'whole_thought', ...whole(update) };
    case 'tool_call_update':
      return toolCallFromV2(update);
    case 'tool_call_content_chunk':
      return { type: 'tool_call_chunk', toolCallId: update.toolCallId, content: contentFromV2(update.content) };
    case 'state_update':
      return stateFromV2(update);
    case 'terminal_update':
      return terminal(update, terminals);
    case 'terminal_output_chunk': {
      const text = terminals.add(update.terminalId, update.data);
      return text === undefined ? undefined : { type: 'terminal_output', terminalId: update.terminalId, text };
    }
    case 'plan_update':
      return planFromV2(update.plan);
    case 'available_commands_update':
      return { type: 'commands', commands: commandsFromV2(update.availableCommands) };
    case 'config_option_update':
      return { type: 'config', options: configOptionsFromV2(update.configOptions) };
    case 'session_info_update':
    case 'usage_update':
    case 'notice':
      return readPlainUpdate(update);
    case 'compaction_update': {
      const { compactionId, status, summary, error } = update;
      return {
        type: 'compaction',
        compactionId,
        status,
        ...(summary !== undefined && { summary: blocksFromV2(summary ?? []) }),
        ...(error != null && { error }),
      };
    }
    case 'compaction_summary_chunk':
      return { type: 'compaction_chunk', compactionId: update.compactionId, content: block(update.content) };
    default:
      return unstableEventFromV2(update as Readonly<Record<string, unknown>>);
  }
}

type V2Block = Extract<SessionUpdate, { readonly sessionUpdate: 'agent_message_chunk' }>['content'];

/** A block of a type that only a newer version knows is kept as it is. */
function block(content: V2Block): Content {
  return content as Content;
}

/** No content keeps what was told; null is a message that has become empty. */
function whole(update: { readonly messageId: string; readonly content?: readonly V2Block[] | null }): {
  readonly messageId: string;
  readonly content?: readonly Content[];
} {
  const { messageId, content } = update;
  return content === undefined ? { messageId } : { messageId, content: blocksFromV2(content ?? []) };
}

/** A null field goes back to what it was before anything was told of it. */
export function toolCallFromV2(update: ToolCallUpdate): Omit<ToolCallEvent, 'meta'> {
  const { toolCallId, title, name, kind, status, content, locations, rawInput, rawOutput, capabilities } = update;
  const event: Writable<ToolCallEvent> = { type: 'tool_call', toolCallId };
  if (title !== undefined) event.title = title;
  if (name !== undefined) event.name = name;
  if (kind !== undefined) event.kind = kind ?? 'other';
  if (status !== undefined) event.status = status ?? 'pending';
  if (content !== undefined) event.content = content?.map(contentFromV2) ?? [];
  if (locations !== undefined) event.locations = locations ?? [];
  if (rawInput !== undefined) event.rawInput = rawInput;
  if (rawOutput !== undefined) event.rawOutput = rawOutput;
  if (capabilities !== undefined) event.canCancel = capabilities?.cancel != null;
  return event;
}

type Writable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] };

const STATES: ReadonlySet<string> = new Set<StateEvent['state']>(['running', 'idle', 'requires_action']);

/** Undefined for a state that version 2 does not define. */
export function stateFromV2(update: StateUpdate): StateEvent | undefined {
  const { state, stopReason, error, background } = update as StateFields;
  if (!STATES.has(state)) return undefined;
  return {
    type: 'state',
    state: state as StateEvent['state'],
    ...(state === 'idle' && stopReason != null && { stopReason }),
    ...(state === 'idle' && stopReason === 'error' && { error: readError(error) }),
    ...(background && { background: backgroundFromV2(background) }),
  };
}

interface StateFields {
  readonly state: string;
  readonly stopReason?: string | null;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown } | null;
  readonly background?: Parameters<typeof backgroundFromV2>[0] | null;
}

/** -32603, an internal error, where the agent does not say what it was. */
function readError(error: StateFields['error']): NonNullable<StateEvent['error']> {
  return error
    ? { code: error.code, message: error.message, ...(error.data != null && { data: error.data }) }
    : { code: -32603, message: 'The agent says that the turn failed, and not why.' };
}

/** Which turn it is, where an agent on Parley says it; the rest of `_meta` stays. */
function withTurn(event: StateEvent, meta: NonNullable<SessionEvent['meta']> | null): StateEvent {
  const { [META.state]: said, ...others } = meta ?? {};
  const turnId = (said as { readonly turnId?: unknown } | undefined)?.turnId;
  if (typeof turnId !== 'string') return { ...event, meta };
  return { ...event, turnId, ...(Object.keys(others).length > 0 && { meta: others }) };
}

/** Undefined when its output is no base64. That a terminal has ended is not taken back. */
function terminal(update: TerminalUpdate, terminals: TerminalTexts): TerminalEvent | undefined {
  const { terminalId, command, cwd, output, exitStatus, size, capabilities } = update;
  const text = output === undefined ? undefined : terminals.replace(terminalId, output?.data ?? '');
  if (output !== undefined && text === undefined) return undefined;
  return {
    type: 'terminal',
    terminalId,
    ...(command !== undefined && { command }),
    ...(cwd !== undefined && { cwd }),
    ...(text !== undefined && { output: text }),
    ...(exitStatus && exitOf(exitStatus)),
    ...(size !== undefined && { size: size && { cols: size.cols, rows: size.rows } }),
    ...(capabilities !== undefined && { canCancel: capabilities?.cancel != null }),
  };
}

/** A status in which nothing is known still says that the command has ended. */
function exitOf({
  exitCode,
  signal,
}: NonNullable<TerminalUpdate['exitStatus']>): Pick<TerminalEvent, 'exitCode' | 'signal'> {
  if (exitCode === undefined && signal === undefined) return { exitCode: null };
  return { ...(exitCode !== undefined && { exitCode }), ...(signal !== undefined && { signal }) };
}

function unknownEvent(update: unknown): SessionEvent {
  const raw = (typeof update === 'object' && update !== null ? update : {}) as Record<string, unknown>;
  return { type: 'unknown', variant: String(raw.sessionUpdate ?? ''), raw };
}

/** The members of an open union that version 2 names, selected by tag; excludes extension (`_`) and unknown members. */
export type Known<Union, Tag extends keyof Union> = Union extends unknown
  ? '_' extends Union[Tag]
    ? never
    : Union
  : never;
