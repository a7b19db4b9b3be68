import type { ActivityListener, ServeOptions } from '@parley/agent';
import type { AgentConnection } from '@parley/client';
import type { CloseReason, Transport } from '@parley/jsonrpc';
import type { ClientOffers } from '@parley/session';
import type { ClientListener } from '../serve-all.ts';

/** A process of a hosted agent that runs. */
export interface HostedProcess {
  /** Whose it is; undefined where all share it. */
  readonly principal: string | undefined;
  readonly startedAtMs: number;
  /** How many sessions are open in it. */
  readonly sessions: number;
}

/** An agent that serves clients, whoever has written it. */
export interface HostedAgent extends AsyncDisposable {
  /** Serves one client, or every client that a listener accepts. Turns go on without their clients unless the options say otherwise. */
  serve(wire: Transport | ClientListener, options?: ServeOptions): Promise<CloseReason>;
  /** Starts the agent for a client that will come, by what that client offers; rejects with the error as it is. */
  start(offers: ClientOffers, principal?: string): Promise<AgentConnection>;
  /** Resolves when the log has all that agents have told so far; undefined when it has. */
  whenSaved(): Promise<unknown> | undefined;
  /** Reads nothing from the agents that run until there is room for more of what they send. */
  pauseUntil(room: Promise<void>): void;
  /** The processes that run. */
  readonly processes: readonly HostedProcess[];
  /** Hears of sessions, turns and questions as they begin and end. Must not throw. Returns what ends it. */
  observe(listener: ActivityListener): () => void;
  /** Begins no more turns: prompts are refused with this message. */
  drain(message: string): void;
  /** Ends every turn that runs as interrupted. Resolves when that is saved. */
  interrupt(message: string): Promise<void>;
  /** Stops the agent for good, with everything it has started. Clients stay, and may read. */
  stop(): Promise<void>;
  /**
   * Ends the connections, cancels the turns that run, and stops the agent with everything it has started, after `graceMs` (1 s) even where
   * a turn has not ended by then. Its sessions stay in the store.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}
