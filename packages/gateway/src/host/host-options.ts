import type { AgentDiagnostic, AgentLimits, AgentOptions } from '@parley/agent';
import type {
  AuthOptions,
  ClientDiagnostic,
  ConnectOptions,
  PermissionOptions,
  TerminalHost,
  TerminalHostOptions,
  Workspace,
  WorkspaceOptions,
} from '@parley/client';

import type { ProcessSharing } from './foreign/agent-processes.ts';

/** How an agent is hosted that somebody else has written. */
export interface HostOptions {
  /** Where its sessions live. Default: in memory, as long as this host. */
  readonly store?: AgentOptions['store'];
  /**
   * One process for everybody, one for each principal, or one for each session. Principals who share one share its login and
   * whatever it remembers. Default: `perPrincipal`.
   */
  readonly processes?: ProcessSharing;
  /** How long a process may have nothing to do before it is stopped; sessions go on when they are prompted. Default: 10 min. */
  readonly idleMs?: number;
  /** Pauses between starts of an agent that keeps crashing: they double. Default: from 250 ms to 30 s. */
  readonly firstPauseMs?: number;
  readonly maxPauseMs?: number;
  /**
   * What becomes of a session that the agent cannot open again. `transcript`: the agent is told what was said before, ahead of the
   * next prompt. `notice`: the person is told that the agent does not remember it. `nothing`: it is refused. Default: `transcript`.
   */
  readonly rememberBy?: 'transcript' | 'notice' | 'nothing';
  /** The longest transcript that the agent is told; its beginning is left out. Default: 64 Ki characters. */
  readonly maxTranscriptCharacters?: number;
  /**
   * Whether the agent may use the files and terminals of the client that prompts it, where that offers them. Default: true.
   */
  readonly fromClients?: boolean;
  /** Files of this machine for the agent, where the client has none. Default: none. */
  readonly workspace?: Workspace | WorkspaceOptions;
  /** Terminals of this machine for the agent, where the client has none. Default: none. */
  readonly terminals?: boolean | TerminalHost | TerminalHostOptions;
  /** The rules for this machine's files and terminals. What they ask about is put to the clients of the session. */
  readonly permissions?: Pick<PermissionOptions, 'mode' | 'rules'>;
  /** Passes on what is still unstable in the protocol. Default: true. */
  readonly unstable?: boolean;
  /** How the agent is spoken to. */
  readonly connect?: Pick<
    ConnectOptions,
    | 'protocol'
    | 'dialect'
    | 'deadlines'
    | 'trace'
    | 'watchdog'
    | 'clientInfo'
    | 'meta'
    | 'reconnect'
    | 'onPhase'
    | 'signal'
    | 'limits'
    | 'extensions'
  > & { readonly auth?: Pick<AuthOptions, 'credentials'> };
  /** For a host inside the program of its only client. Default: clients come and go, over a network. */
  readonly embedded?: EmbeddedOptions;
  readonly limits?: Partial<AgentLimits>;
  /** Hears of everything that went wrong, on either side. Default: failures go to the console's error stream. */
  readonly onDiagnostic?: (diagnostic: AgentDiagnostic | ClientDiagnostic) => void;
}

/**
 * A host inside the program of its only client. The agent hears of that client alone: its offers, its version of the protocol, its logins in
 * a terminal. A stored session is opened at the agent at once, and the client sets its modes and options.
 */
export interface EmbeddedOptions {
  /** Whether prompts of other processes run here while the client has a session open, or only until its own first turn. */
  readonly reserves: 'opening' | 'open';
}

export const DEFAULT_IDLE_MS: number = 10 * 60_000;
export const DEFAULT_FIRST_PAUSE_MS: number = 250;
export const DEFAULT_MAX_PAUSE_MS: number = 30_000;
export const DEFAULT_MAX_TRANSCRIPT_CHARACTERS: number = 65_536;
export const DEFAULT_CLOSE_GRACE_MS: number = 1000;
