import type { SessionLog, SessionStore } from '@parley/store';
import type { AgentDefinition } from '../contract/definition.ts';
import { SessionRegistry } from '../session/registry.ts';

/** What all connections of one agent share: its definition, its store, and the sessions that are open. */
export class AgentRuntime {
  readonly definition: AgentDefinition;
  readonly registry: SessionRegistry;
  #store: Promise<SessionStore> | undefined;
  #isShared = false;

  constructor(definition: AgentDefinition) {
    this.definition = definition;
    this.registry = new SessionRegistry({ definition, isShared: () => this.#isShared });
  }

  async log(principal: string): Promise<SessionLog> {
    this.#store ??= openStore(this.definition.store).catch((error: unknown) => {
      // The next session tries again.
      this.#store = undefined;
      throw error;
    });
    const store = await this.#store;
    this.#isShared = store.isShared;
    return store.log(principal);
  }
}

/** What all connections of an agent share; there from the first that needs it. */
export function runtimeOf(agent: { readonly definition: AgentDefinition; runtime?: AgentRuntime }): AgentRuntime {
  agent.runtime ??= new AgentRuntime(agent.definition);
  return agent.runtime;
}

/** Opened with the first session, so that an agent starts without it. */
async function openStore(store: AgentDefinition['store']): Promise<SessionStore> {
  if (typeof store === 'function') return store();
  if (store) return store;
  const { memoryStore } = await import('@parley/store/memory');
  return memoryStore();
}
