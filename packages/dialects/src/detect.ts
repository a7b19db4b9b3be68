import { type Fields, isRecord } from './fields.ts';
import type { DialectName } from './names.ts';
import type { DialectChoice } from './options.ts';

/** A trait that tells one dialect from the others. */
interface Fingerprint {
  readonly dialect: DialectName;
  readonly because: string;
  readonly shows: (fields: Fields) => boolean;
  /** True where a careless canonical peer could look the same. */
  readonly isGuess?: boolean;
}

/** The dialect that the params of a request or notification give away. */
export function detectByParams(method: string, params: Fields): DialectChoice | undefined {
  return find(PARAMS.get(method), params);
}

/** The dialect that a result gives away. `hasPeerInfo` tells whether the peer has introduced itself by name. */
export function detectByResult(method: string, result: unknown, hasPeerInfo: boolean): DialectChoice | undefined {
  if (isRecord(result)) return find(RESULTS.get(method), result);
  if (result !== null || hasPeerInfo || !NULL_IN_OVERVIEW.has(method)) return undefined;
  return { dialect: 'overview', because: `the answer to ${method} is null`, isCertain: false };
}

/** What tells a dialect apart from the messages: how they travel. */
export interface WireFacts {
  readonly framing?: (() => 'newline' | 'content-length') | undefined;
  readonly endpoint?: string | undefined;
}

/** The dialect that the wire of a peer gives away, unless the peer introduces itself as canonical. */
export function detectByWire({ framing, endpoint }: WireFacts): DialectChoice | undefined {
  if (framing?.() === 'content-length') {
    return { dialect: 'elephant', because: 'its first message has a Content-Length header', isCertain: false };
  }
  const dialect = endpoint === undefined ? undefined : detectByEndpoint(endpoint);
  return dialect && { dialect, because: 'it uses /acp/rpc and /acp/sse', isCertain: false };
}

/**
 * The dialect of a client that logs in with a method that the agent does not list (S3:84): its document lists none, so the client
 * makes a name up. Only where it has introduced itself with a version alone, as in that document; others have made a mistake.
 */
export function detectByLogin(
  { clientInfo, clientCapabilities }: Fields,
  { authMethods }: Fields,
  { methodId }: Fields,
): DialectChoice | undefined {
  if (clientInfo !== undefined || clientCapabilities !== undefined || typeof methodId !== 'string') return undefined;
  if (hasItem(authMethods, ({ id }) => id === methodId)) return undefined;
  return { dialect: 'elephant', because: 'it logs in with a method that is not listed', isCertain: false };
}

/** The dialect of a peer that is met at this address or path: `/acp/rpc` or `/acp/sse` (S3:18). */
export function detectByEndpoint(url: string): DialectName | undefined {
  return /^[^?#]*\/(?:rpc|sse)(?:[?#]|$)/.test(url) ? 'elephant' : undefined;
}

/** The dialect of a peer whose first bytes on a pipe are these (S3:14). */
export function detectByFirstBytes(text: string): DialectName | undefined {
  return /^content-length:/i.test(text) ? 'elephant' : undefined;
}

/** Whether a session has modes or options that elephant.ai lacks (S3:338), so that a guess for it was wrong. */
export function isForeignToElephant(session: Fields): boolean {
  const { modes, configOptions } = session;
  const isOther = ({ id }: Fields): boolean => !ELEPHANT_MODES.has(id);
  return Array.isArray(configOptions) || (isRecord(modes) && hasItem(modes.availableModes, isOther));
}

/** The table of S3:76, value by value: what an agent says before any mode is seen. */
function hasElephantCapabilities(agent: Fields): boolean {
  const { loadSession, promptCapabilities: prompt, mcpCapabilities: mcp, sessionCapabilities: session } = agent;
  if (!isRecord(prompt) || !isRecord(mcp) || !isRecord(session) || loadSession !== true) return false;
  const takesAll = prompt.audio === true && prompt.image === true && prompt.embeddedContext === true;
  return takesAll && mcp.http === false && mcp.sse === false && !hasFields(session);
}

/** Whether an introduction has what only canonical ACP has: then the peer needs no watching. */
export function isCanonicalInitialize(introduction: Fields): boolean {
  const { protocolVersion, agentCapabilities: agent, clientCapabilities: client } = introduction;
  if (typeof protocolVersion === 'number' && protocolVersion >= 2) return true;
  if (isRecord(agent)) return isRecord(agent.auth) || hasFields(agent.sessionCapabilities);
  return isRecord(client) && (isRecord(client.auth) || isRecord(client.session) || isRecord(client.elicitation));
}

const hasFields = (value: unknown): boolean => isRecord(value) && Object.keys(value).length > 0;

const NULL_IN_OVERVIEW: ReadonlySet<string> = new Set(['authenticate', 'session/load', 'fs/write_text_file']);
const ELEPHANT_MODES: ReadonlySet<unknown> = new Set(['full', 'read-only', 'safe', 'sandbox']);

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const hasItem = (value: unknown, test: (item: Fields) => boolean): boolean =>
  Array.isArray(value) && value.some((item) => isRecord(item) && test(item));
const isIn = (value: unknown, name: string): boolean => isRecord(value) && value[name] !== undefined;

const MCP_SERVERS: readonly Fingerprint[] = [
  { dialect: 'go', because: 'mcpServers is a map', shows: ({ mcpServers }) => isRecord(mcpServers) },
  {
    dialect: 'pharo',
    because: 'an MCP server is tagged with "transport"',
    shows: ({ mcpServers }) => hasItem(mcpServers, (server) => server.transport !== undefined),
  },
];

const CONTENT: readonly Fingerprint[] = [
  {
    dialect: 'go',
    because: 'a content block is tagged "resourceLink"',
    shows: ({ prompt }) => hasItem(prompt, (block) => block.type === 'resourceLink'),
  },
  {
    dialect: 'go',
    because: 'a resource block has its fields on itself',
    shows: ({ prompt }) => hasItem(prompt, (block) => block.type === 'resource' && block.resource === undefined),
  },
  {
    dialect: 'harness',
    because: 'an image has a "source"',
    shows: ({ prompt }) => hasItem(prompt, (block) => block.type === 'image' && isRecord(block.source)),
  },
  {
    dialect: 'pharo',
    because: 'annotations have a title or a priority in words',
    shows: ({ prompt }) =>
      hasItem(prompt, ({ annotations }) => {
        return isIn(annotations, 'title') || (isRecord(annotations) && typeof annotations.priority === 'string');
      }),
  },
  {
    dialect: 'elephant',
    because: 'a link has no name, or an image or a recording has no type',
    shows: ({ prompt }) =>
      hasItem(prompt, ({ type, name, data, mimeType }) =>
        type === 'resource_link'
          ? name === undefined
          : (type === 'image' || type === 'audio') && data !== undefined && mimeType === undefined,
      ),
    isGuess: true,
  },
];

/** S3:172 has four modes, and no others. */
const MODES: readonly Fingerprint[] = [
  {
    dialect: 'elephant',
    because: 'the modes are those of elephant.ai',
    shows: ({ modes }) =>
      isRecord(modes) &&
      hasItem(modes.availableModes, () => true) &&
      !hasItem(modes.availableModes, (mode) => !ELEPHANT_MODES.has(mode.id)),
  },
];

const UPDATE: readonly Fingerprint[] = [
  {
    dialect: 'go',
    because: 'an update is tagged with "kind"',
    shows: ({ update }) => isRecord(update) && (update.kind === 'tool_call' || update.kind === 'tool_call_update'),
  },
  {
    dialect: 'go',
    because: 'a plan has steps',
    shows: ({ update }) => isRecord(update) && isIn(update.plan, 'steps'),
  },
  {
    dialect: 'pharo',
    because: 'an update is tagged with "type"',
    shows: ({ update }) => isRecord(update) && update.sessionUpdate === undefined && typeof update.type === 'string',
  },
  {
    dialect: 'harness',
    because: 'a tool call has the status "running"',
    shows: ({ update }) => isRecord(update) && update.status === 'running',
  },
];

const PERMISSION: readonly Fingerprint[] = [
  {
    dialect: 'harness',
    because: 'a permission question has a "message" and no tool call',
    shows: ({ message, toolCall }) => message !== undefined && toolCall === undefined,
  },
  {
    dialect: 'harness',
    because: 'a permission option has the kind "deny"',
    shows: ({ options }) => hasItem(options, (option) => option.kind === 'deny'),
  },
  {
    dialect: 'pharo',
    because: 'a permission question has a "title" and no tool call',
    shows: ({ title, toolCall }) => title !== undefined && toolCall === undefined,
  },
];

const PARAMS = new Map<string, readonly Fingerprint[]>(
  Object.entries({
    initialize: [
      {
        dialect: 'pharo',
        because: 'clientCapabilities.terminal is an object',
        shows: ({ clientCapabilities }) => isRecord(clientCapabilities) && isRecord(clientCapabilities.terminal),
      },
    ],
    authenticate: [
      { dialect: 'pharo', because: 'authenticate carries credentials', shows: (params) => isIn(params, 'credentials') },
    ],
    'session/new': MCP_SERVERS,
    'session/load': [
      ...MCP_SERVERS,
      {
        dialect: 'pharo',
        because: 'session/load has MCP servers and no cwd',
        shows: ({ cwd, mcpServers }) => cwd === undefined && mcpServers !== undefined,
        isGuess: true,
      },
      {
        dialect: 'harness',
        because: 'session/load has a session id alone',
        shows: ({ cwd, mcpServers }) => cwd === undefined && mcpServers === undefined,
        isGuess: true,
      },
    ],
    'session/prompt': CONTENT,
    'session/update': UPDATE,
    'session/request_permission': PERMISSION,
    'session/set_config_option': [
      {
        dialect: 'pharo',
        because: 'set_config_option names an "option"',
        shows: (params) => isIn(params, 'option') && params.configId === undefined,
      },
    ],
    'fs/read_text_file': [
      {
        dialect: 'pharo',
        because: 'a file is read from "startLine"',
        shows: (params) => isIn(params, 'startLine') || isIn(params, 'lineLimit'),
      },
    ],
    'terminal/create': [{ dialect: 'pharo', because: 'the environment is a map', shows: ({ env }) => isRecord(env) }],
    'terminal/wait_for_exit': [
      { dialect: 'pharo', because: 'wait_for_exit has a timeout', shows: (params) => isIn(params, 'timeout') },
    ],
  }),
);

const RESULTS = new Map<string, readonly Fingerprint[]>(
  Object.entries({
    initialize: [
      {
        dialect: 'pharo',
        because: 'initialize answers with authenticationMethods',
        shows: (result) => isIn(result, 'authenticationMethods'),
      },
      {
        dialect: 'pharo',
        because: 'agentCapabilities has sessionModes or supportedTransports',
        shows: ({ agentCapabilities: capabilities }) =>
          isRecord(capabilities) &&
          (isIn(capabilities, 'sessionModes') || isIn(capabilities.mcpCapabilities, 'supportedTransports')),
      },
      {
        dialect: 'go',
        because: 'agentCapabilities has mcp transports or a list of prompt content',
        shows: ({ agentCapabilities: capabilities }) =>
          isRecord(capabilities) &&
          (isIn(capabilities.mcp, 'httpTransport') ||
            isIn(capabilities.mcp, 'sseTransport') ||
            (isRecord(capabilities.promptCapabilities) && Array.isArray(capabilities.promptCapabilities.content))),
      },
      {
        dialect: 'elephant',
        because: 'the capabilities are those of elephant.ai',
        shows: ({ agentCapabilities, authMethods }) =>
          isRecord(agentCapabilities) && hasElephantCapabilities(agentCapabilities) && isEmptyList(authMethods),
        isGuess: true,
      },
    ],
    'session/new': MODES,
    'session/load': MODES,
    'session/prompt': [
      {
        dialect: 'harness',
        because: 'a prompt is answered with content and no stop reason',
        shows: (result) => Array.isArray(result.content) && result.stopReason === undefined,
      },
      {
        dialect: 'go',
        because: 'a prompt is answered with messages or a session id',
        shows: (result) => isIn(result, 'messages') || isIn(result, 'sessionId'),
      },
    ],
    'session/request_permission': [
      {
        dialect: 'pharo',
        because: 'a permission question is answered with selectedOptionId',
        shows: (result) => isIn(result, 'selectedOptionId'),
      },
    ],
    'terminal/output': [
      {
        dialect: 'pharo',
        because: 'terminal/output is answered with an exit code and without "truncated"',
        shows: (result) => result.truncated === undefined && isIn(result, 'exitCode'),
      },
    ],
    'terminal/wait_for_exit': [
      { dialect: 'pharo', because: 'wait_for_exit is answered with output', shows: (result) => isIn(result, 'output') },
    ],
  }),
);

function find(fingerprints: readonly Fingerprint[] | undefined, fields: Fields): DialectChoice | undefined {
  const found = fingerprints?.find(({ shows }) => shows(fields));
  return found && { dialect: found.dialect, because: found.because, isCertain: found.isGuess !== true };
}
