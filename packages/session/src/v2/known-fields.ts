import { type KnownFields, knownFields } from '../extra.ts';

const MESSAGE = ['messageId', 'content'];
const TOOL_CALL = [
  'toolCallId',
  'name',
  'title',
  'kind',
  'status',
  'content',
  'locations',
  'rawInput',
  'rawOutput',
  'capabilities',
] as const;

/** The fields that version 2 has in its updates, those of the unstable schema among them. */
export const V2_FIELDS: KnownFields = knownFields({
  user_message_chunk: MESSAGE,
  user_message: MESSAGE,
  agent_message_chunk: MESSAGE,
  agent_message: MESSAGE,
  agent_thought_chunk: MESSAGE,
  agent_thought: MESSAGE,
  state_update: ['state', 'stopReason', 'error', 'background', 'usage'],
  tool_call_content_chunk: ['toolCallId', 'content'],
  tool_call_update: TOOL_CALL,
  terminal_update: ['terminalId', 'command', 'cwd', 'output', 'exitStatus', 'size', 'capabilities'],
  terminal_output_chunk: ['terminalId', 'data'],
  plan_update: ['plan'],
  plan_removed: ['planId'],
  available_commands_update: ['availableCommands'],
  config_option_update: ['configOptions'],
  session_info_update: ['title', 'updatedAt'],
  usage_update: ['used', 'size', 'cost'],
  notice: ['severity', 'title', 'description'],
  compaction_update: ['compactionId', 'status', 'summary', 'error'],
  compaction_summary_chunk: ['compactionId', 'content'],
  subagent_update: ['sessionId', 'title', 'description', 'state', 'cwd', 'capabilities'],
  session_message: ['messageId', 'senderSessionId', 'recipientSessionId', 'content'],
  session_message_chunk: ['messageId', 'senderSessionId', 'recipientSessionId', 'content'],
});

/** The fields of the tool call in a permission request. */
export const V2_TOOL_CALL_FIELDS: ReadonlySet<string> = new Set<string>([...TOOL_CALL, '_meta', '__proto__']);
