import { setImmediate as nextTick } from 'node:timers/promises';
import { textOf } from '../model/history.ts';
import type { Model, ModelEvent, ModelRequest, StreamOptions } from '../model/model.ts';
import { nextMove } from './next-move.ts';
import { callSuffix } from './turn-state.ts';

export interface OfflineModelOptions {
  /** In tokens, estimated at four characters each; small windows let tests reach compaction. Default: 200,000. */
  readonly contextWindow?: number;
  /** Makes the ids of tool calls, which must be unique in a session. Default: random. */
  readonly newId?: () => string;
}

/** The one it is offered under; not shared with the offer, which is there long before this is loaded. */
const ID = 'offline';
const CHUNK_CHARS = 48;
const CHARS_PER_TOKEN = 4;

/**
 * The model that needs no key and no network: rules that read plain commands and drive the real tools. Deterministic and
 * without memory; everything it knows is in the request.
 */
export function createOfflineModel(options: OfflineModelOptions = {}): Model {
  const { contextWindow = 200_000, newId = randomId } = options;
  return {
    id: ID,
    name: 'Offline (rules, no AI)',
    contextWindow,
    accepts: { images: false, audio: false },
    thinkingLevels: [],
    stream: (request, streamOptions) => streamMove(request, { newId, ...streamOptions }),
  };
}

async function* streamMove(
  request: ModelRequest,
  { signal, newId }: StreamOptions & { readonly newId: () => string },
): AsyncGenerator<ModelEvent, void, undefined> {
  await nextTick();
  signal?.throwIfAborted();
  const move = nextMove(request);
  if (move.thought !== undefined && request.thinking !== 'off') yield { type: 'thought', text: move.thought };
  for (const text of piecesOf(move.text ?? '')) {
    signal?.throwIfAborted();
    yield { type: 'text', text };
  }
  for (const { name, input, target } of move.calls) {
    signal?.throwIfAborted();
    const id = newId() + callSuffix(target);
    yield { type: 'tool_call_start', id, name };
    yield { type: 'tool_call_delta', id, delta: JSON.stringify(input) };
    yield { type: 'tool_call_end', id, name, input };
  }
  yield { type: 'usage', usage: estimateUsage(request, move.text ?? '') };
  yield { type: 'stop', reason: move.calls.length > 0 ? 'tool_use' : 'end_turn' };
}

/** Cut at spaces, so that words arrive whole. */
function piecesOf(text: string): readonly string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${CHUNK_CHARS}}(?=\\s|$)|[\\s\\S]{1,${CHUNK_CHARS}}`, 'g')) ?? [];
}

function estimateUsage(
  { system = '', messages }: ModelRequest,
  answer: string,
): Extract<ModelEvent, { type: 'usage' }>['usage'] {
  const read = messages.map((message) =>
    message.role === 'tool' ? message.results.map(({ content }) => textOf(content)).join('') : textOf(message.content),
  );
  return {
    inputTokens: Math.ceil((system.length + read.join('').length) / CHARS_PER_TOKEN),
    outputTokens: Math.ceil(answer.length / CHARS_PER_TOKEN),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    thoughtTokens: 0,
  };
}

function randomId(): string {
  return `offline-${crypto.randomUUID().slice(0, 13)}`;
}
