import {
  type ErrorObject,
  type ErrorResponse,
  type Message,
  type Notification,
  type Request,
  type Response,
  RpcError,
  type SuccessResponse,
} from '@parley/jsonrpc';
import { type Fields, isRecord } from '../fields.ts';
import type { DialectName } from '../names.ts';
import type { TranslationContext } from './context.ts';
import { writeError } from './errors.ts';
import { learnParams, learnResult, learnUpdate } from './learn.ts';
import { answer, type Outcome, refusal, toPeer, toUs } from './outcome.ts';
import { isVersion2 } from './read/capabilities.ts';
import { isPlainText } from './read/content.ts';
import {
  DIALECT_LIMITS,
  type DialectState,
  type PendingRequest,
  pendingRequest,
  remember,
  sessionOf,
} from './state.ts';
import { canonical } from './write/canonical.ts';
import { elephant } from './write/elephant.ts';
import { go } from './write/go.ts';
import { harness } from './write/harness.ts';
import { overview } from './write/overview.ts';
import { pharo } from './write/pharo.ts';
import type { DialectWriter } from './write/writer.ts';

/** The family of dialects. A new one is a new file and a line here. */
const WRITERS: Readonly<Record<DialectName, DialectWriter>> = { canonical, harness, overview, go, elephant, pharo };

/** Turns one canonical message of ours into what the peer's dialect has for it. */
export function writeMessage(message: Message, state: DialectState): Outcome {
  if (state.isVersion2) return toPeer(message);
  if (!('method' in message)) return writeResponse(message, state);
  return 'id' in message ? writeRequest(message, state) : writeNotification(message, state);
}

function writeNotification(message: Notification, state: DialectState): Outcome {
  const { method, params } = message;
  if (!isRecord(params)) return toPeer(message);
  if (method === 'session/update') return writeSessionUpdate(message, params, state);
  learnParams(state, method, params, 'out');
  return toPeer(message);
}

function writeSessionUpdate(message: Notification, params: Fields, state: DialectState): Outcome {
  const { update } = params;
  if (!isRecord(update)) return toPeer(message);
  const session = sessionOf(state, params);
  learnUpdate(state, session, update);
  const writer = WRITERS[state.choice.dialect];
  if (writer.hasPlainChunks && !state.options.strict && isPlainChunk(update)) return toPeer(message);
  const updates = writer.update(update, { state, session, request: { method: 'session/update', params } });
  const messages = updates.map((written) =>
    written === update ? message : { ...message, params: { ...params, update: written } },
  );
  return { toUs: [], toPeer: messages };
}

/** The hot path: what the agent says or thinks, which most dialects stream in the same words. */
function isPlainChunk({ sessionUpdate: tag, content }: Fields): boolean {
  return (tag === 'agent_message_chunk' || tag === 'agent_thought_chunk') && isPlainText(content);
}

function writeRequest(message: Request, state: DialectState): Outcome {
  const { id, method } = message;
  const params = isRecord(message.params) ? message.params : {};
  const writer = WRITERS[state.choice.dialect];
  if (writer.lacks(method, state)) return toUs(refusal(id, notInDialect(method, state.choice.dialect)));
  const request = pendingRequest(method, params);
  const written = writer.params.get(method)?.(params, { state, session: sessionOf(state, params), request }) ?? params;
  if (written instanceof RpcError) return toUs(refusal(id, written.toJSON()));
  learnParams(state, method, params, 'out');
  const before = writer.before?.get(method)?.(request, state) ?? [];
  const own = before.map((needed) => askPeer(state, needed));
  remember(state.sent, id, request, DIALECT_LIMITS.maxPendingRequests);
  return toPeer(...own, written === params ? message : { ...message, params: written });
}

/** Asks the peer for something of which our side hears nothing. */
function askPeer(state: DialectState, { method, params }: PendingRequest): Message {
  const id = `own-${crypto.randomUUID()}`;
  remember(state.sent, id, { method, params, isOwn: true }, DIALECT_LIMITS.maxPendingRequests);
  return { jsonrpc: '2.0', id, method, params };
}

function notInDialect(method: string, dialect: DialectName): ErrorObject {
  const data = { method, kind: 'capability_not_supported' };
  return {
    code: -32601,
    message: `Method not found: the peer speaks the dialect "${dialect}", which has no ${method}`,
    data,
  };
}

function writeResponse(message: Response, state: DialectState): Outcome {
  const { id } = message;
  const handle = state.ownRequests.get(id);
  if (handle) {
    state.ownRequests.delete(id);
    return handle(message);
  }
  const request = state.received.get(id);
  if (!request) return toPeer(message);
  state.received.delete(id);
  if ('error' in message) return writeErrorResponse(message, request, state);
  const outcome = writeResult(message, { state, session: sessionOf(state, request.params), request });
  if (isRecord(message.result)) learnResult(state, request, message.result, 'out');
  return outcome;
}

function writeResult(message: SuccessResponse, context: TranslationContext): Outcome {
  const { state, request } = context;
  if (request.method === 'initialize' && isRecord(message.result) && isVersion2(message.result)) return toPeer(message);
  const { answers, results } = WRITERS[state.choice.dialect];
  const outcome = answers?.get(request.method)?.(message, context);
  if (outcome) return outcome;
  const map = results.get(request.method);
  if (!map || !isRecord(message.result)) return toPeer(message);
  const result = map(message.result, context);
  return toPeer(result === message.result ? message : { ...message, result });
}

function writeErrorResponse(message: ErrorResponse, { method, params }: PendingRequest, state: DialectState): Outcome {
  if (method === 'session/prompt') sessionOf(state, params).turn = undefined;
  // S3:88 accepts every login; where the agent needs a real one, the session is refused instead.
  if (method === 'authenticate' && state.choice.dialect === 'elephant') return toPeer(answer(message.id, {}));
  const error = writeError({ ...message.error }, state.choice.dialect, method) as unknown as ErrorObject;
  const isLast = method === 'authenticate' && state.options.closeAfterFailedAuthentication === true;
  return { ...toPeer({ ...message, error }), close: isLast };
}
