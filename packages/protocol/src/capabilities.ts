import type { MethodSpec } from './methods.ts';
import type {
  AgentCapabilities,
  ClientCapabilities,
  ContentBlock,
  McpCapabilities,
  McpServer,
  PromptCapabilities,
  SessionUpdate,
} from './v1/types.gen.ts';

// One rule for all: what is omitted is not supported. A marker is `true` or an object; null means omitted, and an empty
// object such as `list: {}` means supported. `elicitation: {}` has no marker in it, so it offers nothing.

type Maybe<T> = T | null | undefined;

/** What both sides advertised in `initialize`. */
export interface Capabilities {
  readonly agentCapabilities?: Maybe<object>;
  readonly clientCapabilities?: Maybe<object>;
}

/** Whether a method may be used between these two. */
export function isMethodAvailable(spec: MethodSpec, capabilities: Capabilities): boolean {
  return spec.gate.length === 0 || spec.gate.some((path) => hasCapability(capabilities, path));
}

/** Whether a capability is advertised: `agentCapabilities.sessionCapabilities.list`. */
export function hasCapability(capabilities: Capabilities, path: string): boolean {
  let value: unknown = capabilities;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Record<string, unknown>)[key];
  }
  return isMarker(value);
}

// What an agent offers.

export function canLoadSession(agent: Maybe<AgentCapabilities>): boolean {
  return isMarker(agent?.loadSession);
}

export function canListSessions(agent: Maybe<AgentCapabilities>): boolean {
  return isMarker(agent?.sessionCapabilities?.list);
}

export function canDeleteSession(agent: Maybe<AgentCapabilities>): boolean {
  return isMarker(agent?.sessionCapabilities?.delete);
}

export function canResumeSession(agent: Maybe<AgentCapabilities>): boolean {
  return isMarker(agent?.sessionCapabilities?.resume);
}

export function canCloseSession(agent: Maybe<AgentCapabilities>): boolean {
  return isMarker(agent?.sessionCapabilities?.close);
}

export function acceptsAdditionalDirectories(agent: Maybe<AgentCapabilities>): boolean {
  return isMarker(agent?.sessionCapabilities?.additionalDirectories);
}

export function canLogout(agent: Maybe<AgentCapabilities>): boolean {
  return isMarker(agent?.auth?.logout);
}

/** Whether a prompt may hold this block. Text and resource links always may. */
export function allowsContent(prompt: Maybe<PromptCapabilities>, block: ContentBlock): boolean {
  switch (block.type) {
    case 'image':
      return isMarker(prompt?.image);
    case 'audio':
      return isMarker(prompt?.audio);
    case 'resource':
      return isMarker(prompt?.embeddedContext);
    default:
      return true;
  }
}

/** Whether the agent can connect to this MCP server. Servers over stdio always work. */
export function acceptsMcpServer(mcp: Maybe<McpCapabilities>, server: McpServer): boolean {
  if (!('type' in server)) return true;
  if (server.type === 'http') return isMarker(mcp?.http);
  return server.type === 'sse' ? isMarker(mcp?.sse) : true;
}

// What a client offers.

export function canReadTextFile(client: Maybe<ClientCapabilities>): boolean {
  return isMarker(client?.fs?.readTextFile);
}

export function canWriteTextFile(client: Maybe<ClientCapabilities>): boolean {
  return isMarker(client?.fs?.writeTextFile);
}

/** All five `terminal/*` methods, or none. */
export function canUseTerminals(client: Maybe<ClientCapabilities>): boolean {
  return isMarker(client?.terminal);
}

export function canAuthenticateInTerminal(client: Maybe<ClientCapabilities>): boolean {
  return isMarker(client?.auth?.terminal);
}

export function canElicit(client: Maybe<ClientCapabilities>, mode: 'form' | 'url'): boolean {
  return isMarker(client?.elicitation?.[mode]);
}

export function acceptsBooleanOptions(client: Maybe<ClientCapabilities>): boolean {
  return isMarker(client?.session?.configOptions?.boolean);
}

/** Whether the client wants this update. Only notices and compaction need a capability. */
export function allowsUpdate(client: Maybe<ClientCapabilities>, update: SessionUpdate): boolean {
  switch (update.sessionUpdate) {
    case 'notice':
      return isMarker(client?.session?.notices);
    case 'compaction_update':
    case 'compaction_summary_chunk':
      return isMarker(client?.session?.compaction);
    default:
      return true;
  }
}

function isMarker(value: unknown): boolean {
  return value === true || (typeof value === 'object' && value !== null);
}
