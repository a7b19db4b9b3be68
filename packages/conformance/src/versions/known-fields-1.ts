import type { KnownFields } from './wire-words.ts';

/** Fields of the objects an agent sends in version 1, stable and unstable. A test compares them with the schema. */
const RESULT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  initialize: ['protocolVersion', 'agentCapabilities', 'authMethods', 'agentInfo'],
  authenticate: [],
  logout: [],
  'session/new': ['sessionId', 'modes', 'configOptions'],
  'session/load': ['modes', 'configOptions'],
  'session/resume': ['modes', 'configOptions'],
  'session/list': ['sessions', 'nextCursor'],
  'session/close': [],
  'session/delete': [],
  'session/prompt': ['stopReason', 'usage'],
  'session/set_mode': [],
  'session/set_config_option': ['configOptions'],
};

const TOOL_CALL_FIELDS = [
  'toolCallId',
  'title',
  'name',
  'kind',
  'status',
  'content',
  'locations',
  'rawInput',
  'rawOutput',
];

const UPDATE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  user_message_chunk: ['content', 'messageId'],
  agent_message_chunk: ['content', 'messageId'],
  agent_thought_chunk: ['content', 'messageId'],
  tool_call: TOOL_CALL_FIELDS,
  tool_call_update: TOOL_CALL_FIELDS,
  plan: ['entries'],
  available_commands_update: ['availableCommands'],
  current_mode_update: ['currentModeId'],
  config_option_update: ['configOptions'],
  session_info_update: ['title', 'updatedAt'],
  usage_update: ['used', 'size', 'cost'],
  notice: ['severity', 'title', 'description'],
  compaction_update: ['compactionId', 'status', 'summary', 'error'],
  compaction_summary_chunk: ['compactionId', 'content'],
};

const PARAMS_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'session/update': ['sessionId', 'update'],
  'session/request_permission': ['sessionId', 'toolCall', 'options'],
  'fs/read_text_file': ['sessionId', 'path', 'line', 'limit'],
  'fs/write_text_file': ['sessionId', 'path', 'content'],
  'terminal/create': ['sessionId', 'command', 'args', 'env', 'cwd', 'outputByteLimit'],
  'terminal/output': ['sessionId', 'terminalId'],
  'terminal/wait_for_exit': ['sessionId', 'terminalId'],
  'terminal/kill': ['sessionId', 'terminalId'],
  'terminal/release': ['sessionId', 'terminalId'],
};

export const KNOWN_FIELDS_1: KnownFields = { result: RESULT_FIELDS, update: UPDATE_FIELDS, params: PARAMS_FIELDS };
