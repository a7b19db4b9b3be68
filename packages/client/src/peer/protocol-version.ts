import type { Connection } from '@parley/jsonrpc';
import type { ClientCapabilities, Implementation } from '@parley/protocol';
import type { AgentFacts, AgentPeer, Meta } from './agent-peer.ts';
import type { ClientDuties } from './client-duties.ts';

/** One version of ACP, as this client speaks it. */
export interface ProtocolVersion {
  readonly version: number;
  /** Whether ids of requests are integers or strings, and nothing else. */
  readonly hasStrictIds?: boolean;
  /** How `initialize` says who we are and what we can do. Throws a `UsageError` when the version allows no such words. */
  introduce(introduction: Introduction): object;
  /**
   * Puts the agent's peer on a connection: from here on, what the agent asks is answered. Throws a `ValidationError` when the
   * agent's answer to `initialize` is none that the version allows. Returns a promise where it must be loaded first; nothing is read
   * from the agent until then.
   */
  connect(agent: IntroducedAgent): ConnectedPeer | Promise<ConnectedPeer>;
}

/** How this client introduces itself. */
export interface Introduction {
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  /** `_meta` of `initialize`. */
  readonly meta: Meta | undefined;
}

/** The versions that may be spoken, the preferred one first. */
export type Versions = readonly [ProtocolVersion, ...ProtocolVersion[]];

export interface IntroducedAgent {
  readonly connection: Connection;
  readonly duties: ClientDuties;
  /** What it answered to `initialize`. */
  readonly answer: unknown;
  readonly onInvalid: OnInvalid;
}

export interface ConnectedPeer {
  readonly peer: AgentPeer;
  readonly facts: AgentFacts;
}

/** Hears of a message that the protocol does not allow: what is wrong with it, and which one it is. */
export type OnInvalid = (
  problem: string,
  about: { readonly method: string; readonly sessionId: string | undefined },
) => void;
