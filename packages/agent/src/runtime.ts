import type { SessionLog, SessionStore } from '@parley/store';
import type { AgentDefinition } from './definition.ts';
import { SessionRegistry } from './session-registry.ts';

/** What all connections of one agent share: its definition, its store, and the sessions that are open. */
export class AgentRuntime {
  readonly definition: AgentDefinition;
  readonly registry: SessionRegistry;
  #memory: Promise<SessionStore> | undefined;

  constructor(definition: AgentDefinition) {
    this.definition = definition;
    this.registry = new SessionRegistry(definition);
  }

  async log(principal: string): Promise<SessionLog> {
    const store = this.definition.store ?? (await this.#openMemory());
    return store.log(principal);
  }

  /** Loaded with the first session, so that an agent starts without it. */
  #openMemory(): Promise<SessionStore> {
    this.#memory ??= import('@parley/store').then(({ memoryStore }) => memoryStore());
    return this.#memory;
  }
}
