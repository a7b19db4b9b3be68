import type { KnownFields } from './wire-words.ts';

/** Fields of the objects an agent sends in version 2, stable and unstable. A test compares them with the schema. */
const RESULT_FIELDS: KnownFields['result'] = {
  initialize: ['protocolVersion', 'info', 'capabilities', 'authMethods'],
  'auth/login': [],
  'auth/logout': [],
  'session/new': ['sessionId', 'configOptions', 'availableCommands'],
  'session/list': ['sessions', 'nextCursor'],
  'session/delete': [],
  'session/resume': ['configOptions', 'availableCommands'],
  'session/close': [],
  'tool_call/cancel': [],
  'terminal/cancel': [],
  'session/set_config_option': ['configOptions'],
  'session/prompt': ['messageId'],
};

const UPDATE_FIELDS: KnownFields['update'] = {
  user_message_chunk: ['messageId', 'content'],
  user_message: ['messageId', 'content'],
  agent_message_chunk: ['messageId', 'content'],
  agent_message: ['messageId', 'content'],
  agent_thought_chunk: ['messageId', 'content'],
  agent_thought: ['messageId', 'content'],
  state_update: ['state', 'background', 'usage', 'stopReason', 'error'],
  tool_call_content_chunk: ['toolCallId', 'content'],
  tool_call_update: [
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
  ],
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
  subagent_update: ['sessionId', 'title', 'description', 'capabilities', 'state', 'cwd', 'additionalDirectories'],
  session_message: [
    'messageId',
    'senderSessionId',
    'recipientSessionId',
    'senderMessageId',
    'recipientMessageId',
    'content',
  ],
  session_message_chunk: ['messageId', 'content'],
};

const PARAMS_FIELDS: KnownFields['params'] = {
  'session/update': ['sessionId', 'update'],
  'session/request_permission': ['sessionId', 'title', 'description', 'subject', 'options'],
};

export const KNOWN_FIELDS_2: KnownFields = { result: RESULT_FIELDS, update: UPDATE_FIELDS, params: PARAMS_FIELDS };
