import { RpcError } from '@parley/jsonrpc';

/**
 * Parts of an agent are loaded when they are first needed. When its program was updated or removed meanwhile, they are
 * not there any more, and nothing but a restart helps; undefined when that is not what went wrong.
 */
export function programChanged(thrown: unknown): RpcError | undefined {
  const { code } = (thrown ?? {}) as { readonly code?: unknown };
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined;
  const message = 'The program of this agent was updated or removed while it ran; restart the agent.';
  const refusal = RpcError.internalError(message, { reason: 'program_changed' });
  // Stays here, for the log: which part it was.
  refusal.cause = thrown;
  return refusal;
}
