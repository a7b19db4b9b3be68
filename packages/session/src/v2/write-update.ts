import type {
  SessionUpdate,
  TerminalUpdate,
  ToolCallUpdate,
  ToolCallLocation as V2Location,
} from '@parley/protocol/v2';
import type {
  MessageChunk,
  SessionEvent,
  StateEvent,
  TerminalEvent,
  ThoughtChunk,
  ToolCallEvent,
  WholeMessage,
  WholeThought,
} from '../event.ts';
import { otherFields, withExtra } from '../extra.ts';
import { META } from '../meta.ts';
import type { Location } from '../parts.ts';
import { writePlainEvent } from '../plain-updates.ts';
import { ownMeta } from '../v1/write-update.ts';
import { encodeText } from './base64.ts';
import { backgroundToV2, blockToV2, contentToV2 } from './content.ts';
import { V2_FIELDS, V2_TOOL_CALL_FIELDS } from './known-fields.ts';
import { commandsToV2, configOptionsToV2 } from './settings.ts';
import { messageToV2, planToV2, subagentToV2 } from './unstable-updates.ts';

/**
 * Writes an event as a v2 update; undefined when v2 has no word for it. Chunks must have the id of their message, which is for
 * whoever writes to see to: version 2 has none without.
 */
export function eventToV2(event: SessionEvent): SessionUpdate | undefined {
  const fields = writeEvent(event);
  const update = fields && event.extra !== undefined ? withExtra(fields, event.extra, V2_FIELDS) : fields;
  if (update === undefined || event.meta === undefined) return update;
  return { ...update, _meta: event.meta && { ...update._meta, ...event.meta } } as SessionUpdate;
}

function writeEvent(event: SessionEvent): (SessionUpdate & WithMeta) | undefined {
  switch (event.type) {
    case 'message_chunk':
      return chunk(event.speaker === 'user' ? 'user_message_chunk' : 'agent_message_chunk', event);
    case 'thought_chunk':
      return chunk('agent_thought_chunk', event);
    case 'whole_message':
      return whole(event.speaker === 'user' ? 'user_message' : 'agent_message', event);
    case 'whole_thought':
      return whole('agent_thought', event);
    case 'tool_call':
      return { sessionUpdate: 'tool_call_update', ...toolCallFields(event) };
    case 'tool_call_chunk': {
      const { toolCallId, content } = event;
      return { sessionUpdate: 'tool_call_content_chunk', toolCallId, content: contentToV2(content) };
    }
    case 'plan':
      return planToV2(event);
    case 'commands':
      return { sessionUpdate: 'available_commands_update', availableCommands: commandsToV2(event.commands) };
    // In version 2 the mode is a config option. An agent on Parley has it among its options (`toConfigOptions` of the agent's
    // settings), and tells all of them in a `config` event whenever the mode changes; or the event has them.
    case 'mode':
      return event.whole && { sessionUpdate: 'config_option_update', configOptions: configOptionsToV2(event.whole) };
    case 'config':
      return {
        sessionUpdate: 'config_option_update',
        configOptions: configOptionsToV2(event.whole ?? event.options),
      };
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
        ...(summary && { summary: summary.map(blockToV2) }),
        ...(error !== undefined && { error }),
      };
    }
    case 'compaction_chunk':
      return {
        sessionUpdate: 'compaction_summary_chunk',
        compactionId: event.compactionId,
        content: blockToV2(event.content),
      };
    case 'state':
      return stateToV2(event);
    case 'terminal':
      return { sessionUpdate: 'terminal_update', ...terminalFields(event) };
    case 'terminal_output':
      return { sessionUpdate: 'terminal_output_chunk', terminalId: event.terminalId, data: encodeText(event.text) };
    case 'subagent':
      return subagentToV2(event);
    case 'session_message':
      return messageToV2(event);
    case 'unknown':
      return event.raw as unknown as SessionUpdate;
  }
}

interface WithMeta {
  readonly _meta?: SessionEvent['meta'];
}

/** Most of what crosses a wire is this, so it is written without intermediate objects. */
function chunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  { content, messageId }: MessageChunk | ThoughtChunk,
): SessionUpdate {
  if (messageId === undefined)
    throw new TypeError('A chunk of a message has no id; give it one before it is written in version 2.');
  return { sessionUpdate, messageId, content: content.type === 'text' ? content : blockToV2(content) } as SessionUpdate;
}

function whole(
  sessionUpdate: 'user_message' | 'agent_message' | 'agent_thought',
  { messageId, content }: WholeMessage | WholeThought,
): SessionUpdate {
  const said = content && { content: content.map(blockToV2) };
  return { sessionUpdate, messageId, ...said } as SessionUpdate;
}

/** All that is known of a tool call, as a permission request of version 2 shows it. */
export function toolCallToV2({ meta, extra, ...event }: Omit<ToolCallEvent, 'type'>): ToolCallUpdate {
  const fields = toolCallFields(event);
  if (!extra) return meta === undefined ? fields : { ...fields, _meta: meta };
  const own = ownMeta(meta, extra);
  return { ...fields, ...otherFields(extra, V2_TOOL_CALL_FIELDS), ...(own !== undefined && { _meta: own }) };
}

function toolCallFields(event: Omit<ToolCallEvent, 'type' | 'meta' | 'extra'>): ToolCallUpdate {
  const { toolCallId, title, name, kind, status, content, locations, rawInput, rawOutput, canCancel } = event;
  const fields: Writable<ToolCallUpdate> = { toolCallId };
  if (title !== undefined) fields.title = title;
  if (name !== undefined) fields.name = name;
  if (kind !== undefined) fields.kind = kind;
  if (status !== undefined) fields.status = status;
  if (content !== undefined) fields.content = content.map(contentToV2);
  if (locations !== undefined) fields.locations = locations.map(locationToV2);
  if (rawInput !== undefined) fields.rawInput = rawInput;
  if (rawOutput !== undefined) fields.rawOutput = rawOutput;
  if (canCancel !== undefined) fields.capabilities = cancelCapability(canCancel);
  return fields;
}

type Writable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] };

/** Lines are counted from 1; some agents say 0 of a file as a whole. */
function locationToV2(location: Location): V2Location {
  if (location.line !== 0) return location;
  const { line: _, ...file } = location;
  return file;
}

function cancelCapability(canCancel: boolean): { readonly cancel: object } | null {
  return canCancel ? { cancel: {} } : null;
}

function terminalFields(event: TerminalEvent): TerminalUpdate {
  const { terminalId, command, cwd, output, exitCode, signal, size, canCancel } = event;
  return {
    terminalId,
    ...(command !== undefined && { command }),
    ...(cwd !== undefined && { cwd }),
    ...(output !== undefined && { output: { data: encodeText(output) } }),
    ...((exitCode !== undefined || signal !== undefined) && {
      exitStatus: { ...(exitCode !== undefined && { exitCode }), ...(signal !== undefined && { signal }) },
    }),
    ...(size !== undefined && { size }),
    ...(canCancel !== undefined && { capabilities: cancelCapability(canCancel) }),
  };
}

/** Only a session that became idle says why. Version 2 has no turns, so which one it was is said beside it. */
function stateToV2({ state, stopReason, error, background, turnId }: StateEvent): SessionUpdate {
  const facts = {
    ...(background && { background: backgroundToV2(background) }),
    ...(turnId !== undefined && { _meta: { [META.state]: { turnId } } }),
  };
  if (state === 'running') return { sessionUpdate: 'state_update', state, ...facts };
  if (state === 'requires_action') return { sessionUpdate: 'state_update', state, ...facts };
  if (error) return { sessionUpdate: 'state_update', state, stopReason: 'error', error: { ...error }, ...facts };
  const reason = stopReason !== undefined && { stopReason };
  return { sessionUpdate: 'state_update', state, ...reason, ...facts } as SessionUpdate;
}
