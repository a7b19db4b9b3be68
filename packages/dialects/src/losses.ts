import type { DialectName } from './names.ts';

/** Something that a dialect cannot carry even for a peer that keeps `_meta`. */
export interface DialectLoss {
  readonly dialects: readonly DialectName[];
  /** The difference behind it; the test of that name tells more. */
  readonly row: `D${number}`;
  readonly what: string;
  /** The message, and the fields of it that are lost; no fields: the whole message. */
  readonly method: string;
  readonly part: 'params' | 'result' | 'update';
  readonly fields?: readonly string[];
  /** For updates: which kinds. Default: all. */
  readonly updates?: readonly string[];
  /** True where only the order of things is lost. */
  readonly isOrder?: boolean;
}

const SESSION_RESULT = ['modes', 'configOptions'];
const NO_MODES: readonly DialectName[] = ['harness', 'overview', 'go'];

/** What is written and never comes back. What a dialect's peers themselves cannot say is told in docs/dialects.md. */
export const DIALECT_LOSSES: readonly DialectLoss[] = [
  loss(['overview'], 'D4', 'the name of the client', 'initialize', 'params', ['clientInfo']),
  loss(['overview'], 'D5', 'client capabilities but for files', 'initialize', 'params', ['clientCapabilities']),
  loss(['overview'], 'D4', 'the name of the agent', 'initialize', 'result', ['agentInfo']),
  loss(['overview'], 'D6', 'agent capabilities but for loading and prompts', 'initialize', 'result', [
    'agentCapabilities',
  ]),
  loss(['pharo'], 'D18', 'authentication methods that open a terminal', 'initialize', 'result', ['authMethods']),
  loss(['overview', 'pharo'], 'D20', 'the fields of an empty result', 'authenticate', 'result'),
  loss([...NO_MODES, 'pharo'], 'D25', 'modes and options of a session', 'session/new', 'result', SESSION_RESULT),
  loss(['harness', 'go'], 'D25', 'modes and options of a session', 'session/load', 'result', SESSION_RESULT),
  loss(['harness'], 'D25', 'modes and options of a session', 'session/resume', 'result', SESSION_RESULT),
  loss(['elephant'], 'D25', 'options of a session', 'session/new', 'result', ['configOptions']),
  loss(['elephant'], 'D25', 'options of a session', 'session/load', 'result', ['configOptions']),
  loss(['overview', 'pharo'], 'D29', 'modes and options of a loaded session', 'session/load', 'result'),
  loss(['harness'], 'D26', 'where and with which servers a session is loaded', 'session/load', 'params', [
    'cwd',
    'mcpServers',
    'additionalDirectories',
  ]),
  loss(['pharo'], 'D27', 'where a session is loaded', 'session/load', 'params', ['cwd']),
  unordered(['go', 'pharo'], 'D31', 'session/new', 'mcpServers'),
  unordered(['go', 'pharo'], 'D31', 'session/load', 'mcpServers'),
  unordered(['pharo'], 'D34', 'terminal/create', 'env'),
  loss(['pharo'], 'D39', 'the options after a change', 'session/set_config_option', 'result'),
  loss(['pharo'], 'D40', 'the fields of an empty result', 'session/set_mode', 'result'),
  loss(['overview', 'pharo'], 'D108', 'the fields of an empty result', 'fs/write_text_file', 'result'),
  loss(['pharo'], 'D116', 'the fields of an empty result', 'terminal/kill', 'result'),
  loss(['pharo'], 'D116', 'the fields of an empty result', 'terminal/release', 'result'),
  {
    ...loss(['harness'], 'D78', 'updates without a word for them', 'session/update', 'update'),
    updates: [
      'user_message_chunk',
      'available_commands_update',
      'current_mode_update',
      'config_option_update',
      'session_info_update',
      'usage_update',
      'notice',
      'compaction_update',
      'compaction_summary_chunk',
    ],
  },
  {
    ...loss(['harness'], 'D81', 'that a call named like a known tool had no kind', 'session/update', 'update', [
      'name',
      'kind',
    ]),
    updates: ['tool_call'],
  },
];

function loss(
  dialects: readonly DialectName[],
  row: DialectLoss['row'],
  what: string,
  method: string,
  part: DialectLoss['part'],
  fields?: readonly string[],
): DialectLoss {
  return { dialects, row, what, method, part, ...(fields ? { fields } : {}) };
}

/** JSON objects put names that are whole numbers first. */
function unordered(
  dialects: readonly DialectName[],
  row: DialectLoss['row'],
  method: string,
  field: string,
): DialectLoss {
  return { ...loss(dialects, row, 'the order of what becomes a map', method, 'params', [field]), isOrder: true };
}
