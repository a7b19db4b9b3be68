import type { AuthMethod } from '@parley/protocol';

// What each side offers the other, in words that no version of the protocol changes. A version reads its capabilities
// into these (`v1/read-offers.ts`, `v2/read-offers.ts`).

/** What an agent offers to do for a client. */
export interface AgentOffers {
  /** Opens a stored session and tells its conversation again. */
  readonly loadSession: boolean;
  /** Opens a stored session without its conversation. */
  readonly resumeSession: boolean;
  readonly listSessions: boolean;
  readonly closeSession: boolean;
  readonly deleteSession: boolean;
  readonly forkSession: boolean;
  /** Sessions may have further directories. */
  readonly additionalDirectories: boolean;
  /** Numbers the events of sessions, goes on behind any of them, and tells when turns begin and end. */
  readonly cursors: boolean;

  /** Turns take prompts while they run. */
  readonly steer: boolean;

  /** Prompts may hold images, sounds, and resources with their content. */
  readonly image: boolean;
  readonly audio: boolean;
  readonly embeddedContext: boolean;

  /** Reaches MCP servers over stdio, which is a matter of course in version 1, over HTTP and over SSE. */
  readonly mcpStdio: boolean;
  readonly mcpHttp: boolean;
  readonly mcpSse: boolean;

  readonly logout: boolean;
  /** The ways to log in to it. */
  readonly authMethods: readonly AuthMethod[];

  // What is still unstable in the protocol.

  /** Reaches MCP servers that the client is itself. */
  readonly mcpAcp: boolean;
  readonly archiveSession: boolean;
  readonly sessionStatus: boolean;
  readonly setSessionTitle: boolean;
  /** Takes instructions for the model: beside its own, and in the place of its own. */
  readonly systemPrompt: boolean;
  readonly overrideSystemPrompt: boolean;
  readonly authStatus: boolean;
  readonly providers: boolean;
}

/** One thing that an agent offers, or does not. */
export type AgentOffer = Exclude<keyof AgentOffers, 'authMethods'>;

/** What a client offers to do for an agent. */
export interface ClientOffers {
  readonly readTextFile: boolean;
  readonly writeTextFile: boolean;
  readonly terminals: boolean;
  /** Shows the output of commands that the agent runs itself, as it comes. */
  readonly agentTerminals: boolean;
  readonly elicitForm: boolean;
  readonly elicitUrl: boolean;
  readonly notices: boolean;
  /** Puts a notice in the place of another of the same id. */
  readonly changingNotices: boolean;
  readonly compaction: boolean;
  readonly booleanOptions: boolean;
  readonly terminalAuth: boolean;
  /** Wants the numbers of events, so that it can go on where it was cut off, and to hear when turns begin and end. */
  readonly cursors: boolean;
  /** Is told only of turns that it has asked for, and asked only by them. */
  readonly ownTurnsOnly: boolean;
  /** Knows several plans, by their ids. Unstable. */
  readonly plans: boolean;
  /** Knows sessions that a session has made. Unstable. */
  readonly subagents: boolean;
  /** Receives events of sub-agents as updates of the session that started them, also with `subagents`. */
  readonly nestedSubagents: boolean;
}
