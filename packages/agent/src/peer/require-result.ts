import { RpcError } from '@parley/jsonrpc';
import { checkOutgoing, ValidationError } from '@parley/protocol';
import type { AgentDefinition } from '../contract/definition.ts';

/** An answer that the specification does not allow comes from how the agent was put together; its author hears of it. */
export function requireResult<Result>(
  definition: AgentDefinition,
  method: string,
  validator: Parameters<typeof checkOutgoing>[0],
  result: Result,
): Result {
  const problem = checkOutgoing(validator, result);
  if (!problem) return result;
  const error = new ValidationError(problem);
  definition.report({ kind: 'invalid_answer', message: `The answer to ${method} is none that ACP allows.`, error });
  throw RpcError.internalError(`The agent has no valid answer to ${method}; its log says why.`);
}
