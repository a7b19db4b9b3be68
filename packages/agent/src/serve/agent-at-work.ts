import type { AgentDefinition } from '../definition.ts';
import type { AgentRuntime } from './runtime.ts';

/** An agent that serves clients: how it was put together, and what all its connections share once the first needs it. */
export interface AgentAtWork {
  readonly definition: AgentDefinition;
  runtime?: AgentRuntime;
}
