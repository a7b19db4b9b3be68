import { ClientRefusedError, TurnError } from '@parley/agent';
import { AgentError, AuthRequiredError } from '@parley/client';
import { ParleyError, RpcError } from '@parley/jsonrpc';

/**
 * What a client hears of something that went wrong between this host and its agent: the agent's own answer as it is. A client in the
 * same program knows the fault itself, and shows no code for it.
 */
export function toClient(error: unknown, { isEmbedded = false }: { readonly isEmbedded?: boolean } = {}): unknown {
  if (error instanceof RpcError) return error;
  if (error instanceof AuthRequiredError && error.cause instanceof RpcError) return error.cause;
  if (error instanceof AgentError) {
    const { code: reason, exitCode, signal } = error;
    const end = { ...(exitCode !== undefined && { exitCode }), ...(signal !== undefined && { signal }) };
    const data = isEmbedded ? end : { reason, ...end };
    return new TurnError(error.message, { data, cause: error });
  }
  if (error instanceof ParleyError)
    return new TurnError(error.message, { rpcCode: -32602, data: { reason: error.code }, cause: error });
  return error;
}

/** What the agent hears of something that a client refused: the client's own answer as it is. */
export function toAgent(error: unknown): unknown {
  if (error instanceof ClientRefusedError && error.cause instanceof RpcError) return error.cause;
  if (error instanceof RpcError || !(error instanceof ParleyError)) return error;
  return RpcError.internalError(error.message, { reason: error.code });
}
