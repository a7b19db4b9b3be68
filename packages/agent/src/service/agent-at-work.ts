import type { AgentDefinition } from '../contract/definition.ts';
import type { AgentRuntime } from './runtime.ts';

/** Something that is ended with the agent: a connection, or where they come in. */
export interface Closable {
  close(): Promise<void>;
}

/** An agent that serves clients: how it was put together, and what all its connections share once the first needs it. */
export interface AgentAtWork {
  readonly definition: AgentDefinition;
  runtime?: AgentRuntime;
  /** The connections and listeners that are served, each until everything it had open is closed. */
  readonly serving: Map<Closable, Promise<unknown>>;
  readonly listeners: Set<Closable>;
  isClosed: boolean;
}

/** Serves a connection or a listener, for as long as it is one of those that the agent has to end. */
export async function whileServing<T>(agent: AgentAtWork, served: Closable, serving: Promise<T>): Promise<T> {
  agent.serving.set(
    served,
    serving.catch(() => {}),
  );
  try {
    return await serving;
  } finally {
    agent.serving.delete(served);
  }
}

/** Ends the connections and listeners, then what still runs. Serves nobody any more. */
export async function closeAgent(agent: AgentAtWork): Promise<void> {
  agent.isClosed = true;
  await Promise.all([...agent.serving].flatMap(([served, over]) => [served.close(), over]));
  await agent.runtime?.registry.endUnwatched();
}
