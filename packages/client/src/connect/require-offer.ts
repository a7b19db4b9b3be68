import type { AgentCapabilities } from '@parley/protocol';
import { CapabilityError } from '../errors.ts';

/** Throws before anything is sent when the agent does not offer what a method needs. */
export function requireCapability(
  capabilities: AgentCapabilities,
  method: string,
  isOffered: (capabilities: AgentCapabilities) => boolean,
  path: string,
): void {
  if (!isOffered(capabilities)) throw new CapabilityError(method, `agentCapabilities.${path}`);
}
