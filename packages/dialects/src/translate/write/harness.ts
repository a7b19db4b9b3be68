import { RpcError, type SuccessResponse } from '@parley/jsonrpc';
import { type Fields, inWords, isRecord, mapField, mapItems, only, pick, without } from '../../fields.ts';
import type { MapParams, MapResult, MapUpdate, TranslationContext } from '../context.ts';
import { dropFacts, keep, keptFact } from '../kept-facts.ts';
import { answer, type Outcome, refusal, toPeer } from '../outcome.ts';
import { isDerived } from '../read/tool-call.ts';
import { note } from '../state.ts';
import { contentOf } from '../turn-content.ts';
import { writeStdioType } from './mcp-servers.ts';
import { writeQuestion } from './permission.ts';
import { asText } from './text-fallback.ts';
import { type DialectWriter, isServiceMissing, MODE_METHODS } from './writer.ts';

/** S0:364 has two capabilities and no authentication. */
const writeInitializeResult: MapResult = (result) => {
  const isEmpty = Array.isArray(result.authMethods) && result.authMethods.length === 0;
  const written = isEmpty ? without(result, 'authMethods') : result;
  const { agentCapabilities: all } = result;
  if (!isRecord(all)) return written;
  const prompt = mapField(all, 'promptCapabilities', (capabilities) => only(capabilities, ['image', '_meta']));
  const agentCapabilities = only(prompt, ['loadSession', 'promptCapabilities', '_meta']);
  return keep({ ...written, agentCapabilities }, { agentCapabilities: agentCapabilities === all ? undefined : all });
};

const writeNewSession: MapParams = (params) => mapItems(params, 'mcpServers', writeStdioType);

/** S0:260 loads by id alone. */
const writeLoadSession: MapParams = (params) => without(params, 'cwd', 'mcpServers', 'additionalDirectories');

const writeSessionResult: MapResult = (result) => without(result, 'modes', 'configOptions');

const writePrompt: MapParams = (params) => {
  const blocks = Array.isArray(params.prompt) ? params.prompt : [];
  const refused = blocks.findIndex((block) => isRecord(block) && isUnsayable(block));
  if (refused < 0) return mapItems(params, 'prompt', writeContent);
  return RpcError.invalidParams(`prompt[${refused}]: the agent takes text and images only`);
};

/** S0 knows text and images. Data that is neither cannot be put into words. */
function isUnsayable(block: Fields): boolean {
  return block.type === 'audio' || (isRecord(block.resource) && block.resource.blob !== undefined);
}

function writeContent(block: unknown): unknown {
  if (!isRecord(block) || block.type === 'text') return block;
  if (block.type !== 'image') return asText(block);
  const { data, mimeType, uri, ...rest } = block;
  const image = { ...rest, source: { type: 'base64', mediaType: mimeType, data } };
  return keep(image, { uri });
}

const writePermission: MapParams = (params, context) => {
  const { toolCall, _meta: _ignored, ...rest } = params;
  const asked = keptFact(params, 'message');
  const message = typeof asked === 'string' ? asked : writeQuestion(toolCall, context.session);
  const meta = only(dropFacts(params, 'message', 'title', 'description', 'derived'), ['_meta']);
  const written = mapItems({ ...rest, ...meta, message }, 'options', writeOption);
  return isDerived(params, 'toolCall') ? written : keep(written, { toolCall });
};

/** S0:279 has labels, and one kind of rejection. */
function writeOption(option: unknown): unknown {
  if (!isRecord(option)) return option;
  const { name, kind, ...rest } = option;
  const isReject = kind === 'reject_once' || kind === 'reject_always';
  const written = { ...rest, kind: isReject ? 'deny' : kind, label: name };
  return kind === 'reject_always' ? keep(written, { kind }) : written;
}

/** S0:162 answers a prompt with everything that was said; the stop reason is added for peers that look for it. */
function answerPrompt(response: SuccessResponse, { session, state }: TranslationContext): Outcome | undefined {
  if (!isRecord(response.result)) return undefined;
  const { stopReason, ...rest } = response.result;
  const error = keptFact(response.result, 'error');
  if (stopReason === 'cancelled' && (state.options.cancelledPrompt === 'error' || isRecord(error))) {
    const cancelled = { code: -32800, message: 'Request cancelled', ...(isRecord(error) ? error : {}) };
    return toPeer(refusal(response.id, cancelled));
  }
  const content = session.turn ? contentOf(session.turn).map(writeContent) : [];
  const reason = isDerived(response.result, 'stopReason') ? {} : { stopReason };
  return toPeer(answer(response.id, dropFacts({ content, ...reason, ...rest }, 'derived')));
}

const writeUpdate: MapUpdate = (update, context) => {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return [mapField(update, 'content', (block) => writeContent(block))];
    case 'tool_call':
      return [writeToolCall(update)];
    case 'tool_call_update':
      return [writeProgress(update, context)];
    case 'plan':
      return [update];
    default:
      note(context.state, 'D78', `An update of kind ${inWords(update.sessionUpdate)} was left out.`);
      return [];
  }
};

/** S0:236 has the tool's name as title and no kind; S0:244 says `running`. */
function showToolCall(call: Fields): Fields {
  const { name: tool, title, status } = call;
  const shown = pick(call, (name) => name !== 'kind' && name !== 'name');
  shown.title = typeof tool === 'string' ? tool : title;
  if (status === 'in_progress') shown.status = 'running';
  return mapItems(dropFacts(shown, 'derived'), 'content', writeToolCallContent);
}

function writeToolCall(call: Fields): Fields {
  const shown = showToolCall(call);
  const isUnsaid = (name: string): boolean => call[name] !== shown[name] && !isDerived(call, name);
  return keep(shown, only(call, ['kind', 'name', 'title'].filter(isUnsaid)));
}

/** S0:222 has no `tool_call_update`: each change repeats the whole call as it now stands. */
function writeProgress(update: Fields, { session }: TranslationContext): Fields {
  const { toolCallId } = update;
  const known = (typeof toolCallId === 'string' && session.toolCalls.get(toolCallId)) || {};
  const whole: Record<string, unknown> = { title: toolCallId, ...known, sessionUpdate: 'tool_call' };
  if (update._meta !== undefined) whole._meta = update._meta;
  const shown = showToolCall(whole);
  const isLost = (name: string): boolean => update[name] === null || !READ_BACK.has(name);
  const was = pick(update, (name, value) => value !== shown[name] && isLost(name));
  return keep(
    shown,
    was,
    Object.keys(shown).filter((name) => !(name in update)),
  );
}

/** Fields that reading gives back by itself. */
const READ_BACK: ReadonlySet<string> = new Set(['status', 'content', '_meta']);

function writeToolCallContent(item: unknown): unknown {
  return isRecord(item) ? mapField(item, 'content', (block) => writeContent(block)) : item;
}

/** The adapters of acp-harness. */
export const harness: DialectWriter = {
  params: new Map([
    ['session/new', writeNewSession],
    ['session/load', writeLoadSession],
    ['session/prompt', writePrompt],
    ['session/request_permission', writePermission],
  ]),
  results: new Map([
    ['initialize', writeInitializeResult],
    ['session/new', writeSessionResult],
    ['session/load', writeSessionResult],
    ['session/resume', writeSessionResult],
  ]),
  update: writeUpdate,
  hasPlainChunks: true,
  lacks: (method, state) => MODE_METHODS.has(method) || isServiceMissing(method, state),
  answers: new Map([['session/prompt', answerPrompt]]),
};
