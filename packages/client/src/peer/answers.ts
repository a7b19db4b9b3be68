import { type Connection, RpcError } from '@parley/jsonrpc';
import { checkOutgoing, sessionIdOf, ValidationError, type Validator } from '@parley/protocol';
import type { ClientDuties } from './client-duties.ts';
import type { OnInvalid } from './protocol-version.ts';
import { toRpcError } from './rpc-errors.ts';

/** How one of the agent's requests is answered. */
export interface AnswerOptions<Params, Result> {
  /** Throws an `RpcError` when they are none that the version allows. */
  readonly readParams: (params: unknown) => Params;
  readonly result: Validator<unknown>;
  readonly handle: (params: Params, signal: AbortSignal) => Promise<Result> | Result;
  readonly onInvalid: OnInvalid;
}

/** Answers a request of the agent; an answer of ours that the protocol does not allow is not sent. */
export function answerRequest<Params, Result>(
  connection: Connection,
  method: string,
  { readParams, result: validator, handle, onInvalid }: AnswerOptions<Params, Result>,
): void {
  connection.onRequest(method, async (context) => {
    const params = readParams(context.params);
    const result = await answerOrExplain(() => handle(params, context.signal));
    const problem = checkOutgoing(validator, result);
    if (!problem) return result;
    const why = `The answer to ${method} is none that ACP allows: ${new ValidationError(problem).message}`;
    onInvalid(why, { method, sessionId: sessionIdOf(context.params) });
    throw RpcError.internalError(`The client has no valid answer to ${method}.`);
  });
}

/** Takes what agents of every version tell in the same words. */
export function takeNotices(connection: Connection, duties: ClientDuties): void {
  connection.onNotification('elicitation/complete', (params) => {
    const { elicitationId } = (params ?? {}) as { elicitationId?: unknown };
    if (typeof elicitationId === 'string') duties.onElicitationComplete?.(elicitationId);
  });
  connection.onNotification('auth/status_update', (params) => {
    const { state, accounts } = (params ?? {}) as { state?: unknown; accounts?: unknown };
    if (typeof state !== 'string') return;
    duties.onAuthStatus?.({ state, ...(Array.isArray(accounts) && { accounts }) });
  });
  const { answerMcp } = duties;
  if (!answerMcp) return;
  connection.onRequest('mcp/message', ({ params, signal }) =>
    answerMcp(params, { signal, notify: (message) => void connection.notify('mcp/message', message) }),
  );
}

async function answerOrExplain<T>(answer: () => Promise<T> | T): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    throw toRpcError(error);
  }
}
