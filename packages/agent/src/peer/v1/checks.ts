import {
  type AgentRequests,
  enforceRules,
  INVALID,
  keepCustomContent,
  takeProblem,
  ValidationError,
  v1,
} from '@parley/protocol';
import type { AgentDefinition } from '../../contract/definition.ts';
import { checked } from '../../service/checked.ts';
import type { MethodChecks } from '../peer-service.ts';
import { requireServerTypes, takeAcpServers } from '../read-setup.ts';
import { requireResult } from '../require-result.ts';
import { toAgentCapabilities } from './capabilities.ts';

/** How version 1 reads the params of its methods, and checks their results. */
export function v1Checks(definition: AgentDefinition): MethodChecks {
  return {
    readParams: (method, value) => readParams(definition, method as keyof AgentRequests, value),
    requireResult: (method, result) =>
      definition.isRelay
        ? result
        : requireResult(definition, method, v1.requests[method as keyof AgentRequests].result, result),
  };
}

/** Reads the params of a request: by the schema, by the rules beside it, and by what the agent advertised. */
export function readParams<Method extends keyof AgentRequests>(
  definition: AgentDefinition,
  method: Method,
  value: unknown,
): AgentRequests[Method]['params'] {
  return checked(() => {
    const { plain, acpServers } = takeAcpServers(definition, value ?? {}, 'mcpCapabilities');
    const read: unknown = keepCustomContent<unknown>(v1.requests[method].params, plain);
    if (read === INVALID) throw new ValidationError(takeProblem());
    const params = read as AgentRequests[Method]['params'];
    const { imageMimeTypes, audioMimeTypes } = definition;
    enforceRules(method, params as never, { ...toAgentCapabilities(definition), imageMimeTypes, audioMimeTypes });
    requireServerTypes(value, SERVER_TYPES, 'stdio, http or sse');
    return acpServers.length > 0 ? { ...params, acpServers } : params;
  });
}

/** The schema has no name for the type `stdio`, but many clients write it. */
const SERVER_TYPES: ReadonlySet<unknown> = new Set([undefined, null, 'stdio', 'http', 'sse', 'acp']);
