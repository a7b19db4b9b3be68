import { ParleyError, RpcError } from '@parley/jsonrpc';
import { TurnError } from './errors.ts';

/** ACP's own error codes, beside those of JSON-RPC. */
const AUTH_REQUIRED = -32000;
const NOT_FOUND = -32002;

export function sessionNotFound(sessionId: string): RpcError {
  return new RpcError(NOT_FOUND, `Session not found: ${sessionId}`, { sessionId });
}

export function authRequired(): RpcError {
  return new RpcError(AUTH_REQUIRED, 'Authentication required; call authenticate with one of the authMethods first.');
}

/** What the client hears when a handler of the agent's author refuses or fails. */
export function handlerError(thrown: unknown, what: string): RpcError {
  if (thrown instanceof RpcError) return thrown;
  if (thrown instanceof TurnError) return new RpcError(thrown.rpcCode ?? -32603, thrown.message, thrown.data);
  return RpcError.internalError(`The agent failed ${what}; its log says why.`);
}

/** Store errors that a client can do something about; all others stay here. */
export function storeError(thrown: unknown, sessionId: string | undefined): unknown {
  if (!(thrown instanceof ParleyError)) return thrown;
  if (thrown.code === 'session_not_found' && sessionId !== undefined) return sessionNotFound(sessionId);
  if (thrown.code === 'invalid_cursor') return RpcError.invalidParams(`cursor: ${thrown.message}`);
  return thrown;
}
