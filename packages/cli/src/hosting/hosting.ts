import type { AgentConnection, AgentSource, ConnectOptions } from '@parley/client';
import type { SessionStore } from '@parley/store';

/** How sessions of an agent are kept that does not keep them in our store itself. */
export interface Hosting {
  readonly store: SessionStore | (() => Promise<SessionStore>);
  /** Whether prompts of other processes run here while a session is open, or only until its first turn here. */
  readonly reserves: 'opening' | 'open';
}

export interface ConnectAgentOptions {
  readonly source: AgentSource;
  readonly options: ConnectOptions;
  /** Undefined for an agent whose sessions are not kept, or are kept by itself. */
  readonly hosting?: Hosting | undefined;
  /** Reaches the person. */
  readonly say: (text: string) => void;
}

/** A connection to an agent, which may be hosted in this process. */
export interface ConnectedAgent {
  readonly connection: AgentConnection;
  /** Resolves when the log has everything that the agent has sent so far; undefined when it has, or there is no log. */
  whenSaved(): Promise<unknown> | undefined;
  /** An error as the agent's own connection had it. */
  explain(error: unknown): unknown;
  /** Stops reading from the agent, until `resume`. */
  pause(): void;
  resume(): void;
}
