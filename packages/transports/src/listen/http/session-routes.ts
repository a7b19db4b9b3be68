import type { Message } from '@parley/jsonrpc';
import { idKey, sessionInParams } from '../../network/routing.ts';
import type { ListenLimits } from '../limits.ts';
import type { Refusal } from '../server/exchange.ts';

/** Belong to a session whatever their params say, as in the official SDK. */
const SESSION_METHODS = new Set([
  'session/cancel',
  'session/close',
  'session/delete',
  'session/fork',
  'session/load',
  'session/prompt',
  'session/resume',
  'session/set_config_option',
  'session/set_mode',
  'session/set_model',
]);

type Posted = Readonly<Record<string, unknown>>;

/**
 * Which stream each message of one connection belongs to: what names a session goes there, an answer goes where its request
 * came from, and all else to the stream of the connection, for which the empty string stands.
 */
export class SessionRoutes {
  readonly #limits: ListenLimits;
  /** Where the answers to the client's requests go. */
  readonly #answers = new Map<string, string>();
  /** The sessions of loads that run: their answers go to the connection, after the replay on the session's stream. */
  readonly #loads = new Map<string, string>();
  /** The sessions of the agent's requests, by which the client's answers are checked. */
  readonly #questions = new Map<string, string>();

  constructor(limits: ListenLimits) {
    this.#limits = limits;
  }

  /**
   * Why a message cannot be taken with this session in its header. Otherwise remembers where its answer goes: that of a load to the
   * connection, as in the RFD, unless the client wants it in order with the replay.
   */
  refuse(message: Posted, header: string | undefined, isLoadInOrder = false): Refusal | undefined {
    const { maxIdLength, maxPendingRequests } = this.#limits;
    if ((header?.length ?? 0) > maxIdLength) return tooLong('Acp-Session-Id', maxIdLength);
    if (!('method' in message)) return this.#refuseAnswer(message, header);
    const { id, method } = message;
    const named = sessionInParams(message);
    if (header === undefined && (named !== undefined || SESSION_METHODS.has(String(method)))) return MISSING;
    if (header !== undefined && named !== undefined && header !== named) return MISMATCHED;
    if (id === undefined) return undefined;
    if (typeof id === 'string' && id.length > maxIdLength) return tooLong('The id of a request', maxIdLength);
    if (this.#answers.size >= maxPendingRequests) {
      return { status: 429, message: `${maxPendingRequests} requests wait for their answers already` };
    }
    const isLoad = method === 'session/load' && !isLoadInOrder;
    this.#answers.set(idKey(id), isLoad ? '' : (header ?? ''));
    if (isLoad && header !== undefined) this.#loads.set(idKey(id), header);
    return undefined;
  }

  routeBefore(message: Message): string | undefined {
    if (this.#loads.size === 0 || 'method' in message || !('id' in message)) return undefined;
    const key = idKey(message.id);
    const session = this.#loads.get(key);
    this.#loads.delete(key);
    return session;
  }

  routeOf(message: Message): string {
    if ('method' in message) {
      const session = sessionInParams(message) ?? '';
      if ('id' in message && session !== '') this.#ask(idKey(message.id), session);
      return session;
    }
    const key = idKey(message.id);
    const route = this.#answers.get(key) ?? '';
    this.#answers.delete(key);
    return route;
  }

  #refuseAnswer(message: Posted, header: string | undefined): Refusal | undefined {
    const key = idKey(message.id);
    const session = this.#questions.get(key);
    if (session !== undefined && header === undefined) return MISSING;
    if (session !== undefined && header !== session) return MISMATCHED;
    this.#questions.delete(key);
    return undefined;
  }

  /** Questions that are never answered must not pile up: the oldest goes unchecked. */
  #ask(key: string, session: string): void {
    const [oldest] = this.#questions.keys();
    if (oldest !== undefined && this.#questions.size >= this.#limits.maxPendingRequests) this.#questions.delete(oldest);
    this.#questions.set(key, session);
  }
}

const MISSING: Refusal = { status: 400, message: 'Missing Acp-Session-Id' };
const MISMATCHED: Refusal = { status: 400, message: 'Mismatched Acp-Session-Id' };

function tooLong(what: string, limit: number): Refusal {
  return { status: 400, message: `${what} may have ${limit} characters` };
}
