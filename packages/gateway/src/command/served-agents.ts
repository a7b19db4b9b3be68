import type { AgentAddress } from '@parley/client';

/** An agent of the server, and the path that it has below `/acp`. */
export interface ServedAgent {
  readonly name: string;
  /** Undefined for an agent that runs in this process. */
  readonly agent: { readonly address: AgentAddress } | undefined;
  /** Why it cannot be started now. It is hosted all the same: its program may be installed later. */
  readonly problem?: string;
}

export interface ServedAgents {
  readonly agents: readonly ServedAgent[];
  readonly defaultAgent: string;
  /** Agents of the settings that cannot be hosted, and why. */
  readonly leftOut: readonly { readonly name: string; readonly problem: string }[];
}
