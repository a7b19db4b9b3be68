import { type Fields, inWords, isRecord, mapField, mapItems, only, without } from '../../fields.ts';
import type { MapParams, MapResult, MapUpdate, TranslationContext } from '../context.ts';
import { keep } from '../kept-facts.ts';
import { type DialectState, note } from '../state.ts';
import { refuseRemoteServers } from './mcp-servers.ts';
import { writeKind } from './nearest-words.ts';
import { asNull, type DialectWriter, MODE_METHODS } from './writer.ts';

/** S1:19 has neither names nor any client capability but files. */
const writeInitialize: MapParams = (params) =>
  mapField(without(params, 'clientInfo'), 'clientCapabilities', (capabilities) => only(capabilities, ['fs', '_meta']));

const writeInitializeResult: MapResult = (result) =>
  mapField(without(result, 'agentInfo'), 'agentCapabilities', (capabilities) =>
    only(capabilities, ['loadSession', 'promptCapabilities', '_meta']),
  );

/** S1:34 knows MCP servers that are programs. */
const writeSession: MapParams = (params) => refuseRemoteServers(params, () => false) ?? params;

const writeNewSessionResult: MapResult = (result) => without(result, 'modes', 'configOptions');

/** The updates S1:54 names, and the one it names for replay. */
const UPDATES: ReadonlySet<unknown> = new Set([
  'plan',
  'agent_message_chunk',
  'user_message_chunk',
  'tool_call',
  'tool_call_update',
]);

const writeUpdate: MapUpdate = (update, context) => {
  const { sessionUpdate: tag } = update;
  if (tag === 'tool_call' || tag === 'tool_call_update') return [writeToolCall(update, context)];
  if (context.state.options.strict && !UPDATES.has(tag)) {
    note(context.state, 'D90', `An update of kind ${inWords(tag)} was left out.`);
    return [];
  }
  return [update];
};

function writeToolCall(call: Fields, { state }: TranslationContext): Fields {
  const written = mapItems(writeKind(call), 'content', (item) => writeToolCallContent(item, state));
  return writeRaw(writeRaw(written, 'rawInput'), 'rawOutput');
}

/** S1:58 wants raw input and output to be objects. */
function writeRaw(call: Fields, name: 'rawInput' | 'rawOutput'): Fields {
  const value = call[name];
  if (value === undefined || isRecord(value)) return call;
  return keep({ ...call, [name]: { value } }, { [name]: value });
}

/** S1:84 has no terminals: what one has printed stands in its place. */
function writeToolCallContent(item: unknown, state: DialectState): unknown {
  if (!isRecord(item) || item.type !== 'terminal') return item;
  const { terminalId, ...rest } = item;
  const output = typeof terminalId === 'string' ? state.terminals.get(terminalId)?.output : undefined;
  const content = { type: 'text', text: output ?? `[terminal ${inWords(terminalId)}]` };
  return keep({ ...rest, type: 'content', content }, { type: 'terminal', terminalId }, ['content']);
}

/** The overview (seed 001), which is close to early versions of ACP v1. */
export const overview: DialectWriter = {
  params: new Map([
    ['initialize', writeInitialize],
    ['session/new', writeSession],
    ['session/load', writeSession],
  ]),
  results: new Map<string, MapResult>([
    ['initialize', writeInitializeResult],
    ['authenticate', asNull],
    ['session/new', writeNewSessionResult],
    ['session/load', asNull],
    ['fs/write_text_file', asNull],
  ]),
  update: writeUpdate,
  hasPlainChunks: true,
  lacks: (method) => MODE_METHODS.has(method),
};
