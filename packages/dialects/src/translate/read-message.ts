import { type ErrorObject, isRequestId, type RequestId, RpcError } from '@parley/jsonrpc';
import { detectByParams, detectByResult, isForeignToElephant } from '../detect.ts';
import { type Fields, isRecord } from '../fields.ts';
import type { DialectChoice } from '../options.ts';
import type { TranslationContext } from './context.ts';
import { readError, writeError } from './errors.ts';
import { learnParams, learnResult, learnUpdate } from './learn.ts';
import { nothing, type Outcome, refusal, toPeer, toUs } from './outcome.ts';
import { isPlainText } from './read/content.ts';
import { findPlace } from './read/find-place.ts';
import { cancelledResult, isCancelledTurn, readPromptResult } from './read/prompt-result.ts';
import { EMPTY_RESULTS, PARAM_READERS, RESULT_READERS } from './read/readers.ts';
import { readUpdate } from './read/update.ts';
import { waitNoLonger } from './read/wait-timeout.ts';
import { DIALECT_LIMITS, type DialectState, pendingRequest, remember, sessionOf } from './state.ts';

/** Turns one value from the peer, in whatever dialect, into canonical messages. What is no message passes as it is. */
export function readMessage(value: unknown, state: DialectState): Outcome {
  if (state.isVersion2 || !isRecord(value)) return toUs(value);
  const message = value.jsonrpc === undefined ? { jsonrpc: '2.0', ...value } : value;
  const { method, id } = message;
  if (typeof method !== 'string') return id === undefined ? toUs(value) : readResponse(message, state);
  if (id === undefined) return readNotification(message, method, state);
  return isRequestId(id) ? readRequest(message, method, id, state) : toUs(value);
}

function readNotification(message: Fields, method: string, state: DialectState): Outcome {
  const { params } = message;
  if (!isRecord(params)) return toUs(message);
  if (method === 'session/update') return readSessionUpdate(message, params, state);
  learnParams(state, method, params, 'in');
  return toUs(message);
}

function readSessionUpdate(message: Fields, params: Fields, state: DialectState): Outcome {
  const { update } = params;
  if (!isRecord(update)) return toUs(message);
  const session = sessionOf(state, params);
  if (isPlainChunk(update)) {
    learnUpdate(state, session, update);
    return toUs(message);
  }
  if (!state.choice.isCertain) decide(state, detectByParams('session/update', params));
  const updates = readUpdate(update, { state, session, request: { method: 'session/update', params } });
  const messages = updates.map((read) => {
    learnUpdate(state, session, read);
    return read === update ? message : { ...message, params: { ...params, update: read } };
  });
  return { toUs: messages, toPeer: [] };
}

/** The hot path: a chunk of text that looks the same in every dialect but S4's, and needs no translation. */
function isPlainChunk(update: Fields): boolean {
  const { sessionUpdate: tag } = update;
  const isChunk = tag === 'agent_message_chunk' || tag === 'agent_thought_chunk' || tag === 'user_message_chunk';
  return isChunk && update._meta === undefined && isPlainText(update.content);
}

function readRequest(message: Fields, method: string, id: RequestId, state: DialectState): Outcome {
  // The connection refuses an id that is in use; the first request under it is the one that will be answered.
  if (state.received.has(id)) return toUs(message);
  const params = isRecord(message.params) ? message.params : {};
  if (!state.choice.isCertain) decide(state, detectByParams(method, params));
  const looking = method === 'session/load' ? findPlace(params, state) : undefined;
  if (looking) return { ...nothing, wait: looking.then(() => takeRequest(message, method, id, state)) };
  return takeRequest(message, method, id, state);
}

function takeRequest(message: Fields, method: string, id: RequestId, state: DialectState): Outcome {
  const params = isRecord(message.params) ? message.params : {};
  const context = { state, session: sessionOf(state, params), request: { method, params } };
  const read = PARAM_READERS.get(method)?.(params, context, id) ?? params;
  if (read instanceof RpcError) {
    return toPeer(
      refusal(id, writeError({ ...read.toJSON() }, state.choice.dialect, method) as unknown as ErrorObject),
    );
  }
  learnParams(state, method, read, 'in');
  remember(state.received, id, pendingRequest(method, read), DIALECT_LIMITS.maxPendingRequests);
  const outcome = toUs(read === message.params ? message : withParams(message, read));
  return method === 'terminal/wait_for_exit' ? waitNoLonger(outcome, id, params, state) : outcome;
}

function withParams(message: Fields, params: Fields): Fields {
  const hadNone = message.params === undefined && Object.keys(params).length === 0;
  return hadNone || (message.params !== undefined && !isRecord(message.params)) ? message : { ...message, params };
}

function readResponse(message: Fields, state: DialectState): Outcome {
  const request = state.sent.get(message.id as RequestId);
  if (!request) return toUs(message);
  state.sent.delete(message.id as RequestId);
  if (request.isOwn) return nothing;
  const context = { state, session: sessionOf(state, request.params), request };
  if (isRecord(message.error)) return readErrorResponse(message, message.error, context);
  const { result } = message;
  if (!state.choice.isCertain)
    decide(state, detectByResult(request.method, result, state.hasPeerInfo) ?? undoGuess(state, result));
  if (!isRecord(result)) return readEmptyResult(message, context);
  if (request.method === 'session/prompt') return readPromptResponse(message, result, context);
  return finish(message, RESULT_READERS.get(request.method)?.(result, context) ?? result, context);
}

/** Peers answer `null` or nothing where canonically there is an object without fields. */
function readEmptyResult(message: Fields, context: TranslationContext): Outcome {
  const { method } = context.request;
  if ((message.result !== null && message.result !== undefined) || !EMPTY_RESULTS.has(method)) return toUs(message);
  return finish(message, RESULT_READERS.get(method)?.({}, context) ?? {}, context);
}

function finish(message: Fields, result: Fields | null, { state, request }: TranslationContext): Outcome {
  if (result) learnResult(state, request, result, 'in');
  return toUs(result === message.result ? message : { ...message, result });
}

function readPromptResponse(message: Fields, result: Fields, context: TranslationContext): Outcome {
  const { request, state } = context;
  const answered = readPromptResult(result, context);
  const { sessionId } = request.params;
  const chunks = answered.unsaid.map((content) => ({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } },
  }));
  learnResult(state, request, answered.result, 'in');
  return { toUs: [...chunks, { ...message, result: answered.result }], toPeer: [] };
}

function readErrorResponse(message: Fields, error: Fields, context: TranslationContext): Outcome {
  const { state, request } = context;
  const isCancelled = request.method === 'session/prompt' && isCancelledTurn(error, context);
  if (request.method === 'session/prompt') learnResult(state, request, {}, 'in');
  if (isCancelled) {
    const { error: _error, ...rest } = message;
    return toUs({ ...rest, result: cancelledResult(error) });
  }
  return toUs({ ...message, error: readError(error, state.choice.dialect, request.method) });
}

/** Capabilities alone can look like those of elephant.ai; a session shows that they are not. */
function undoGuess({ choice }: DialectState, result: unknown): DialectChoice | undefined {
  if (choice.dialect !== 'elephant' || !isRecord(result) || !isForeignToElephant(result)) return undefined;
  return { dialect: 'canonical', because: 'elephant.ai has no such modes or options', isCertain: false };
}

/** Takes note of evidence. A second guess for the same dialect is nothing new. */
function decide(state: DialectState, choice: DialectChoice | undefined): void {
  if (!choice) return;
  if (!choice.isCertain && state.choice.dialect === choice.dialect) return;
  state.choice = choice;
  state.options.onDialect?.(choice);
}
