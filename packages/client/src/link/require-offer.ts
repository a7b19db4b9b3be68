import type { AgentOffer } from '@parley/session';
import { CapabilityError } from '../errors.ts';
import type { AgentFacts } from '../peer/agent-peer.ts';

/** Throws before anything is sent when the agent does not offer what a call needs. */
export function requireOffer({ offers, capabilityOf }: AgentFacts, offer: AgentOffer, what: string): void {
  if (!offers[offer]) throw new CapabilityError(what, capabilityOf(offer));
}
