import { OWN_AGENT } from '../agents/own-agent.ts';
import type { RunSettings } from './settings/run-settings.ts';

/** How long an agent may take to end a cancelled turn. Our own needs up to 5 s when a tool does not stop; its last words are waited for. */
const FOREIGN_GRACE_MS = 3000;
const OWN_GRACE_MS = 6000;

/** After SIGTERM or SIGHUP: when to stop waiting for the turn, for the agent's end, and for readers of the output. Service managers kill after 10 s. */
export const TERMINATED = { turnMs: 4000, agentMs: 7000, outputMs: 7800 } as const;

/** How long the agent's end is waited for after a second Ctrl-C. */
export const INSISTED_MS = 500;

/** When to say that the agent is waited for. */
export const SAY_AFTER_MS = 1000;

export function cancelGraceMs({ agent }: { readonly agent: Pick<RunSettings['agent'], 'name'> }): number {
  return agent.name === OWN_AGENT ? OWN_GRACE_MS : FOREIGN_GRACE_MS;
}
