import { RpcError } from '@parley/jsonrpc';
import { type Fields, inWords, isRecord, mapField, mapItems, only, rename, without } from '../../fields.ts';
import type { MapParams, MapResult } from '../context.ts';
import { dropFacts, keep, keptFact } from '../kept-facts.ts';
import { PROMPT_CONTENT } from '../read/capabilities.ts';
import { uniqueName } from '../read/mcp-servers.ts';
import type { DialectState } from '../state.ts';
import { writeUpdate } from './go-update.ts';
import { refuseRemoteServers, writePairMaps } from './mcp-servers.ts';
import { writeStopReason } from './nearest-words.ts';
import { titleOf } from './permission.ts';
import { type DialectWriter, MODE_METHODS } from './writer.ts';

/** S2:33 requires the capabilities, be they empty. */
const writeInitialize: MapParams = (params) => ({ clientCapabilities: {}, ...params });

const writeInitializeResult: MapResult = (result) => {
  const written = mapField({ agentCapabilities: {}, ...result }, 'agentCapabilities', (all) => {
    const mcp = mapField(rename(all, 'mcpCapabilities', 'mcp'), 'mcp', (flags) =>
      rename(rename(flags, 'http', 'httpTransport'), 'sse', 'sseTransport'),
    );
    return mapField(mcp, 'promptCapabilities', writePromptContent);
  });
  const { authMethods } = result;
  return keep(without(written, 'authMethods'), { authMethods });
};

/** S2:75 lists what a prompt may contain. */
function writePromptContent(capabilities: Fields): Fields {
  const given = PROMPT_CONTENT.filter((name) => capabilities[name] === true);
  const kept = keptFact(capabilities, 'content');
  const isCurrent = Array.isArray(kept) && PROMPT_CONTENT.every((name) => kept.includes(name) === given.includes(name));
  const rest = dropFacts(without(capabilities, ...PROMPT_CONTENT), 'content');
  return { ...rest, content: isCurrent ? kept : ['text', ...given] };
}

/** S2:95 lists programs; S2:338 has a map, which alone can hold servers on the network. */
const writeNewSession: MapParams = (params, { state }) => {
  const servers = Array.isArray(params.mcpServers) ? params.mcpServers : [];
  const isRemote = servers.some((server) => isRecord(server) && server.type !== undefined);
  return refuse(params, state) ?? (isRemote ? { ...params, mcpServers: writeServerMap(servers) } : params);
};

const writeLoadSession: MapParams = (params, { state }) => {
  const servers = Array.isArray(params.mcpServers) ? params.mcpServers : [];
  if (servers.length === 0) return without(params, 'mcpServers');
  return refuse(params, state) ?? { ...params, mcpServers: writeServerMap(servers) };
};

function refuse(params: Fields, { agentCapabilities }: DialectState): RpcError | undefined {
  const mcp = isRecord(agentCapabilities.mcpCapabilities) ? agentCapabilities.mcpCapabilities : {};
  return refuseRemoteServers(params, (type) => typeof type === 'string' && mcp[type] === true);
}

function writeServerMap(servers: readonly unknown[]): Fields {
  const taken = new Map<unknown, number>();
  return Object.fromEntries(
    servers.filter(isRecord).map((server) => {
      const { name, ...rest } = writePairMaps(server);
      const key = uniqueName(inWords(name), taken);
      return [key, keep({ type: 'stdio', ...rest }, { name: key === name ? undefined : name })];
    }),
  );
}

/** S2:171 lists the sound formats, MP3 under a name that is not registered. */
const MIME_ALIASES: Readonly<Record<string, string>> = { 'audio/mpeg': 'audio/mp3' };

const MIME_TYPES: ReadonlySet<unknown> = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'],
  ...['audio/wav', 'audio/mp3', 'audio/ogg', 'audio/flac', 'audio/aac'],
]);

const writePrompt: MapParams = (params, { state }) => {
  const written = mapItems(params, 'prompt', writeContent);
  const blocks = Array.isArray(written.prompt) ? written.prompt : [];
  const refused = state.options.strict ? blocks.findIndex(isUnlisted) : -1;
  if (refused < 0) return written;
  return RpcError.invalidParams(`prompt[${refused}].mimeType: the agent does not list this media type`);
};

function isUnlisted(block: unknown): boolean {
  return isRecord(block) && (block.type === 'image' || block.type === 'audio') && !MIME_TYPES.has(block.mimeType);
}

function writeContent(block: unknown): unknown {
  if (!isRecord(block)) return block;
  switch (block.type) {
    case 'audio':
      return writeAudio(block);
    case 'resource_link':
      return writeLink(block);
    case 'resource':
      return writeResource(block);
    default:
      return block;
  }
}

function writeAudio(block: Fields): Fields {
  const { mimeType } = block;
  const alias =
    typeof mimeType === 'string' && Object.hasOwn(MIME_ALIASES, mimeType) ? MIME_ALIASES[mimeType] : undefined;
  return alias === undefined ? block : keep({ ...block, mimeType: alias }, { mimeType });
}

/** S2:149 writes the tag in camel case and has no title or description. */
function writeLink(link: Fields): Fields {
  const { title, description, ...rest } = link;
  return keep({ ...rest, type: 'resourceLink' }, { title, description });
}

/** S2:148 has the resource's fields on the block itself. */
function writeResource(block: Fields): Fields {
  if (!isRecord(block.resource)) return block;
  const { uri, text, blob, mimeType, ...more } = block.resource;
  const flat = Object.entries({ uri, text, blob, mimeType }).filter(([, value]) => value !== undefined);
  const written = { ...without(block, 'resource'), ...Object.fromEntries(flat) };
  return keep(written, { resource: Object.keys(more).length > 0 ? block.resource : undefined });
}

/** S2:233 tells id, title and kind of the call, and nothing else. */
const writePermission: MapParams = (params, { session }) => {
  const { toolCall } = params;
  if (!isRecord(toolCall)) return params;
  const { toolCallId } = toolCall;
  const known = typeof toolCallId === 'string' ? session.toolCalls.get(toolCallId) : undefined;
  const kind = toolCall.kind ?? known?.kind ?? 'other';
  const brief = {
    toolCallId,
    title: titleOf(toolCall, session) ?? 'Permission required',
    kind: kind === 'switch_mode' ? 'other' : kind,
  };
  const isSame = Object.entries(brief).every(([name, value]) => toolCall[name] === value);
  const isWhole = isSame && only(toolCall, Object.keys(brief)) === toolCall;
  return isWhole ? params : keep({ ...params, toolCall: brief }, { toolCall });
};

const writeSessionResult: MapResult = (result) => without(result, 'modes', 'configOptions');

/** S2:315 names the session again. */
const writePromptResult: MapResult = (result, { request }) => {
  const messages = keptFact(result, 'messages');
  const repeated = Array.isArray(messages) ? { messages } : {};
  return { sessionId: request.params.sessionId, ...repeated, ...writeStopReason(dropFacts(result, 'messages')) };
};

/** The Go integration (seed 002). */
export const go: DialectWriter = {
  params: new Map([
    ['initialize', writeInitialize],
    ['session/new', writeNewSession],
    ['session/load', writeLoadSession],
    ['session/prompt', writePrompt],
    ['session/request_permission', writePermission],
  ]),
  results: new Map([
    ['initialize', writeInitializeResult],
    ['session/new', writeSessionResult],
    ['session/load', writeSessionResult],
    ['session/prompt', writePromptResult],
  ]),
  update: writeUpdate,
  hasPlainChunks: true,
  lacks: (method) => MODE_METHODS.has(method),
};
