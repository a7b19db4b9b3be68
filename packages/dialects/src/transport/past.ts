import type { Message } from '@parley/jsonrpc';
import { type Fields, isRecord } from '../fields.ts';
import type { Direction } from '../translate/context.ts';

/** One message of a conversation that was canonical. */
export interface PastMessage {
  readonly direction: Direction;
  readonly message: Fields;
}

/** How much of a conversation is remembered. Beyond a limit the oldest is forgotten, and passes untranslated. */
const MAX_EXCHANGES = 1_000;
const MAX_PENDING = 10_000;
const MAX_TOOL_CALLS = 1_000;
const MAX_TEXT_CHARACTERS = 16 * 1024 * 1024;

/** Requests whose answer tells something that a dialect needs later. */
const TELLING: ReadonlySet<string> = new Set([
  'initialize',
  'session/new',
  'session/load',
  'session/resume',
  'session/fork',
  'session/set_mode',
  'session/set_config_option',
  'terminal/create',
]);

/**
 * What has been said on a connection before its dialect was known, as far as the dialect needs it to go on from there: who
 * the peers are, their sessions, what is still to be answered, and the turn that runs.
 */
export class Past {
  readonly #exchanges: PastMessage[] = [];
  readonly #pending: Readonly<Record<Direction, Map<unknown, Fields>>> = { in: new Map(), out: new Map() };
  readonly #toolCalls: Fields[] = [];
  /** What the agent has said in the running turn, by session. */
  readonly #texts = new Map<string, string>();

  /** The method of an open request. */
  methodOf(direction: Direction, { id }: Fields): string | undefined {
    return this.#pending[direction].get(id)?.method as string | undefined;
  }

  /** How a client has introduced itself, and how it was answered. */
  get introduction(): { readonly params: Fields; readonly result: Fields } | undefined {
    const [request, response] = this.#exchanges;
    if (request?.direction !== 'in' || request.message.method !== 'initialize') return undefined;
    const { params } = request.message;
    const result = response?.message.result;
    return { params: isRecord(params) ? params : {}, result: isRecord(result) ? result : {} };
  }

  answered(direction: Direction, response: Fields): void {
    const asked = direction === 'in' ? 'out' : 'in';
    const request = this.#pending[asked].get(response.id);
    if (!request) return;
    this.#pending[asked].delete(response.id);
    if (request.method === 'session/prompt') this.#endTurn(request);
    if (!TELLING.has(request.method as string)) return;
    this.#exchanges.push({ direction: asked, message: request }, { direction, message: response });
    // The first exchange is kept: it tells who the peers are.
    if (this.#exchanges.length > 2 * MAX_EXCHANGES) this.#exchanges.splice(2, 2);
  }

  asked(direction: Direction, request: Fields): void {
    const pending = this.#pending[direction];
    // The first request under an id is the one that will be answered.
    if (pending.size < MAX_PENDING && !pending.has(request.id)) pending.set(request.id, withoutContent(request));
  }

  /** An update that a later message may refer to. */
  updated(message: Fields, sessionId: unknown, update: Fields): void {
    const { sessionUpdate: tag, content } = update;
    if (tag === 'tool_call' || tag === 'tool_call_update') {
      this.#toolCalls.push(message);
      if (this.#toolCalls.length > MAX_TOOL_CALLS) this.#toolCalls.shift();
    }
    if (tag !== 'agent_message_chunk' || typeof sessionId !== 'string' || !isRecord(content)) return;
    const said = this.#texts.get(sessionId) ?? '';
    if (typeof content.text === 'string' && said.length < MAX_TEXT_CHARACTERS) {
      this.#texts.set(sessionId, said + content.text);
    }
  }

  /** The conversation in its essence, in an order in which it could have been. */
  *messages(): Iterable<PastMessage> {
    yield* this.#exchanges;
    for (const direction of ['in', 'out'] as const) {
      for (const message of this.#pending[direction].values()) yield { direction, message };
    }
    for (const message of this.#toolCalls) yield { direction: 'in', message };
    for (const [sessionId, text] of this.#texts) {
      const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
      yield {
        direction: 'in',
        message: { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } } satisfies Message,
      };
    }
  }

  #endTurn({ params }: Fields): void {
    this.#toolCalls.length = 0;
    if (isRecord(params) && typeof params.sessionId === 'string') this.#texts.delete(params.sessionId);
  }
}

/** What was said or written need not be kept until the answer comes. */
function withoutContent(request: Fields): Fields {
  const isHeavy = request.method === 'session/prompt' || request.method === 'fs/write_text_file';
  if (!isHeavy || !isRecord(request.params)) return request;
  return { ...request, params: { sessionId: request.params.sessionId, prompt: [] } };
}
