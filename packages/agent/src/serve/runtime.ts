import type { SessionLog, SessionStore } from '@parley/store';
import type { AgentDefinition } from '../definition.ts';
import { SessionRegistry } from '../session/registry.ts';

/** What all connections of one agent share: its definition, its store, and the sessions that are open. */
export class AgentRuntime {
  readonly definition: AgentDefinition;
  readonly registry: SessionRegistry;
  #store: Promise<SessionStore> | undefined;

  constructor(definition: AgentDefinition) {
    this.definition = definition;
    this.registry = new SessionRegistry(definition);
  }

  async log(principal: string): Promise<SessionLog> {
    this.#store ??= openStore(this.definition.store).catch((error: unknown) => {
      // The next session tries again.
      this.#store = undefined;
      throw error;
    });
    return (await this.#store).log(principal);
  }
}

/** Opened with the first session, so that an agent starts without it. */
async function openStore(store: AgentDefinition['store']): Promise<SessionStore> {
  if (typeof store === 'function') return store();
  if (store) return store;
  const { memoryStore } = await import('@parley/store/memory');
  return memoryStore();
}
