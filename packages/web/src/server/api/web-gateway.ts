import type { TraceEntry } from '@parley/session/traces';
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
  /** What passes on the wires of a principal; undefined where that is switched off. */
  watchTraffic(query: TrafficQuery): AsyncIterable<TrafficBatch> | undefined;
}

export interface TrafficQuery {
  readonly principal: string;
  readonly signal: AbortSignal;
  readonly agent?: string;
  readonly sessionId?: string;
  /** The number of the last entry that the reader has. */
  readonly after?: number;
}

export interface TrafficBatch {
  readonly entries: readonly (TraceEntry & { readonly seq: number })[];
  /** Entries that were forgotten before they could be read. */
  readonly missed: number;
}
