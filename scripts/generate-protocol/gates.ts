/**
 * Which advertised capability each method needs; the schemas only say so in prose. A gate is a list of paths, one of
 * which must be advertised. The first word names the side: what the agent answered to `initialize`
 * (`agentCapabilities`) or what the client sent with it (`clientCapabilities`).
 */

type Gates = Readonly<Record<string, readonly string[]>>;

const TERMINAL = ['clientCapabilities.terminal'];
const SESSION = ['agentCapabilities.session'];

export const GATES_V1: Gates = {
  logout: ['agentCapabilities.auth.logout'],
  'session/load': ['agentCapabilities.loadSession'],
  'session/list': ['agentCapabilities.sessionCapabilities.list'],
  'session/delete': ['agentCapabilities.sessionCapabilities.delete'],
  'session/resume': ['agentCapabilities.sessionCapabilities.resume'],
  'session/close': ['agentCapabilities.sessionCapabilities.close'],
  'fs/read_text_file': ['clientCapabilities.fs.readTextFile'],
  'fs/write_text_file': ['clientCapabilities.fs.writeTextFile'],
  'terminal/create': TERMINAL,
  'terminal/output': TERMINAL,
  'terminal/release': TERMINAL,
  'terminal/wait_for_exit': TERMINAL,
  'terminal/kill': TERMINAL,
  'elicitation/create': ['clientCapabilities.elicitation.form', 'clientCapabilities.elicitation.url'],
  'elicitation/complete': ['clientCapabilities.elicitation.url'],
};

export const GATES_V1_UNSTABLE: Gates = {
  ...GATES_V1,
  'providers/list': ['agentCapabilities.providers'],
  'providers/set': ['agentCapabilities.providers'],
  'providers/disable': ['agentCapabilities.providers'],
  'auth/status': ['agentCapabilities.auth.status'],
  'auth/status_update': ['agentCapabilities.auth.status'],
  'session/fork': ['agentCapabilities.sessionCapabilities.fork'],
  'session/archive': ['agentCapabilities.sessionCapabilities.archive'],
  'session/unarchive': ['agentCapabilities.sessionCapabilities.archive'],
  'session/status': ['agentCapabilities.sessionCapabilities.status'],
  'session/set_title': ['agentCapabilities.sessionCapabilities.title'],
  'mcp/message': ['agentCapabilities.mcpCapabilities.acp'],
};

export const GATES_V2: Gates = {
  'session/new': SESSION,
  'session/list': SESSION,
  'session/resume': SESSION,
  'session/close': SESSION,
  'session/prompt': SESSION,
  'session/cancel': SESSION,
  'session/update': SESSION,
  'session/set_config_option': SESSION,
  'session/request_permission': SESSION,
  'tool_call/cancel': SESSION,
  'terminal/cancel': SESSION,
  'session/delete': ['agentCapabilities.session.delete'],
  'elicitation/create': ['clientCapabilities.elicitation.form', 'clientCapabilities.elicitation.url'],
  'elicitation/complete': ['clientCapabilities.elicitation.url'],
};

export const GATES_V2_UNSTABLE: Gates = {
  ...GATES_V2,
  'providers/list': ['agentCapabilities.providers'],
  'providers/set': ['agentCapabilities.providers'],
  'providers/disable': ['agentCapabilities.providers'],
  'auth/status': ['agentCapabilities.auth.status'],
  'auth/status_update': ['agentCapabilities.auth.status'],
  'session/fork': ['agentCapabilities.session.fork'],
  'session/archive': ['agentCapabilities.session.archive'],
  'session/unarchive': ['agentCapabilities.session.archive'],
  'session/status': ['agentCapabilities.session.status'],
  'session/set_title': ['agentCapabilities.session.title'],
  'mcp/message': ['agentCapabilities.session.mcp.acp'],
};
