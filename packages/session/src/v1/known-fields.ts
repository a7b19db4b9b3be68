import { type KnownFields, knownFields } from '../extra.ts';

const CHUNK = ['content', 'messageId'];
const TOOL_CALL = [
  'toolCallId',
  'title',
  'name',
  'kind',
  'status',
  'content',
  'locations',
  'rawInput',
  'rawOutput',
] as const;

/** The fields that version 1 has in its updates, those of the unstable schema among them. */
export const V1_FIELDS: KnownFields = knownFields({
  user_message_chunk: CHUNK,
  agent_message_chunk: CHUNK,
  agent_thought_chunk: CHUNK,
  tool_call: TOOL_CALL,
  tool_call_update: TOOL_CALL,
  plan: ['entries'],
  available_commands_update: ['availableCommands'],
  current_mode_update: ['currentModeId'],
  config_option_update: ['configOptions'],
  session_info_update: ['title', 'updatedAt'],
  usage_update: ['used', 'size', 'cost'],
  notice: ['severity', 'title', 'description'],
  compaction_update: ['compactionId', 'status', 'summary', 'error'],
  compaction_summary_chunk: ['compactionId', 'content'],
  plan_update: ['plan'],
  plan_removed: ['planId'],
  subagent_update: ['sessionId', 'title', 'description', 'state', 'cwd', 'capabilities'],
  session_message: ['messageId', 'senderSessionId', 'recipientSessionId', 'content'],
  session_message_chunk: ['messageId', 'senderSessionId', 'recipientSessionId', 'content'],
});

/** The fields of the tool call in a permission request. */
export const V1_TOOL_CALL_FIELDS: ReadonlySet<string> = new Set<string>([...TOOL_CALL, '_meta', '__proto__']);
