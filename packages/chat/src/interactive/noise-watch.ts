import type { AgentConnection } from '@parley/client';

/** Sees when an agent writes other things than messages to stdout: whoever runs it shall know why it may misbehave. */
export class NoiseWatch {
  #told: AgentConnection | undefined;

  /** A remark for the person, once for each connection; undefined when there is nothing to say. */
  look(connection: AgentConnection | undefined): string | undefined {
    if (!connection || connection === this.#told || connection.counts.noiseLines === 0) return undefined;
    this.#told = connection;
    return 'The agent writes lines to stdout that are no ACP messages; they are ignored. `parley inspect` shows them.';
  }
}
