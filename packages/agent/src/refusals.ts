import { ParleyError, RpcError } from '@parley/jsonrpc';
import { isRecord } from '@parley/jsonrpc/internal';
import { errorOfKind } from '@parley/protocol';
import { programChanged, TurnError } from './errors.ts';

export function sessionNotFound(sessionId: string): RpcError {
  return errorOfKind('session_not_found', { message: `Session not found: ${sessionId}`, data: { sessionId } });
}

export function authRequired(loginMethod: string): RpcError {
  const message = `Authentication required; call ${loginMethod} with one of the authMethods first.`;
  return errorOfKind('auth_required', { message });
}

/** What the client hears when the handler of a login throws, which is how it refuses; with the words of a `TurnError`. */
export function loginFailed(thrown: unknown): RpcError {
  if (thrown instanceof RpcError || (thrown instanceof TurnError && thrown.rpcCode !== undefined))
    return handlerError(thrown, 'to log in');
  const changed = programChanged(thrown);
  if (changed) return changed;
  if (!(thrown instanceof TurnError))
    return errorOfKind('auth_failed', { message: "The login failed; the agent's log says why." });
  const { message, data } = thrown;
  return errorOfKind('auth_failed', { message, ...(isRecord(data) && { data }) });
}

/** What the client hears when a handler of the agent's author refuses or fails. */
export function handlerError(thrown: unknown, what: string): RpcError {
  if (thrown instanceof RpcError) return thrown;
  if (thrown instanceof TurnError) return new RpcError(thrown.rpcCode ?? -32603, thrown.message, thrown.data);
  return programChanged(thrown) ?? RpcError.internalError(`The agent failed ${what}; its log says why.`);
}

const OWNED = 'session_owned';

/** Another process works in the session; undefined when that is not what went wrong. */
export function workedOnElsewhere(thrown: unknown, sessionId: string): RpcError | undefined {
  const { code, cause } = (thrown ?? {}) as { readonly code?: unknown; readonly cause?: { readonly code?: unknown } };
  if (code !== OWNED && cause?.code !== OWNED) return undefined;
  return errorOfKind('invalid_session_state', {
    message: 'Another process works in this session; wait until its turn has ended, or cancel it.',
    data: { sessionId, reason: OWNED },
  });
}

/** Whether a prompt was refused because another process works in its session. */
export function isOwnedElsewhere(error: unknown): boolean {
  return error instanceof RpcError && (error.data as { readonly reason?: unknown } | undefined)?.reason === OWNED;
}

/** Store errors that the person at the client can do something about; all others stay here. */
export function storeError(thrown: unknown, sessionId: string | undefined): unknown {
  if (!(thrown instanceof ParleyError)) return programChanged(thrown) ?? thrown;
  const elsewhere = sessionId === undefined ? undefined : workedOnElsewhere(thrown, sessionId);
  if (elsewhere) return elsewhere;
  if (thrown.code === 'session_not_found' && sessionId !== undefined) return sessionNotFound(sessionId);
  if (thrown.code.startsWith('store_') || thrown.code === 'log_failed')
    return RpcError.internalError(thrown.message, { reason: thrown.code });
  if (thrown.code === 'invalid_cursor') return RpcError.invalidParams(`cursor: ${thrown.message}`);
  return thrown;
}
