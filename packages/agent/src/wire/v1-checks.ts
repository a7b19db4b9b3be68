import { RpcError } from '@parley/jsonrpc';
import { type AgentRequests, enforceRules, v1 } from '@parley/protocol';
import { checked } from '../checked.ts';
import type { AgentDefinition } from '../definition.ts';
import type { Setup } from '../setup.ts';
import { toAgentCapabilities } from './v1-capabilities.ts';

/** Reads the params of a request: by the schema, by the rules beside it, and by what the agent advertised. */
export function readParams<Method extends keyof AgentRequests>(
  definition: AgentDefinition,
  method: Method,
  value: unknown,
): AgentRequests[Method]['params'] {
  return checked(() => {
    const params = v1.parseParams(method, value) as AgentRequests[Method]['params'];
    enforceRules(method, params as never, toAgentCapabilities(definition));
    return params;
  });
}

interface WireSetup {
  readonly cwd: string;
  readonly additionalDirectories?: Setup['additionalDirectories'];
  readonly mcpServers?: Setup['mcpServers'];
}

/** Directories that the agent did not ask for are refused rather than dropped, so that nobody counts on them. */
export function readSetup(definition: AgentDefinition, params: WireSetup): Setup {
  const { cwd, additionalDirectories = [], mcpServers = [] } = params;
  if (additionalDirectories.length > 0 && !definition.takesDirectories) {
    throw RpcError.invalidParams('additionalDirectories: this agent did not advertise them');
  }
  return { cwd, additionalDirectories, mcpServers };
}
