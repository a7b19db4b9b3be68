import type { SessionsReply, WatchChange } from '../../api/index.ts';

/** What the page needs of a gateway; that of `@parley/gateway` has it. */
export interface WebGateway {
  /** The names of the agents. */
  readonly names: readonly string[];
  readonly defaultAgent: string;
  /** The sessions of a principal, over all agents, the newest first. */
  sessions(query: {
    readonly principal: string;
    readonly agent?: string;
    readonly cwd?: string;
    readonly limit?: number;
  }): Promise<SessionsReply>;
  /** What changes in them, from now on until the signal aborts. */
  watchSessions(query: { readonly principal: string; readonly signal: AbortSignal }): AsyncIterable<WatchChange>;
}
