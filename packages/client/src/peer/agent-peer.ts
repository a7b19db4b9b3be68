import type { Connection } from '@parley/jsonrpc';
import type {
  AgentCapabilities,
  AvailableCommand,
  ContentBlock,
  Implementation,
  McpServer,
  SessionConfigOption,
  SessionInfo,
  SessionMode,
} from '@parley/protocol';
import type { AgentRequests as UnstableRequests } from '@parley/protocol/unstable';
import type { AgentOffer, AgentOffers, Extra, StateEvent, StopReason, TokenUsage } from '@parley/session';

/**
 * The agent at the far end, in words that no wire version owns. Sessions and turns know only this; `versions.ts` lists
 * the implementations, one for each version of the protocol.
 */
export interface AgentPeer {
  readonly connection: Connection;
  authenticate(methodId: string, options: CallOptions): Promise<void>;
  logout(options: CallOptions): Promise<void>;
  newSession(setup: SessionSetup, options: CallOptions): Promise<OpenedSession>;
  forkSession(sessionId: string, setup: SessionSetup, options: CallOptions): Promise<OpenedSession>;
  /** The agent tells the whole conversation again before this resolves; with `after`, what came behind that event. */
  loadSession(sessionId: string, setup: SessionSetup, options: ReopenOptions): Promise<SessionSettings>;
  /** The agent tells nothing; with `after`, what came behind that event. */
  resumeSession(sessionId: string, setup: SessionSetup, options: ReopenOptions): Promise<SessionSettings>;
  listSessions(filter: SessionFilter, options: CallOptions): Promise<SessionPage>;
  closeSession(sessionId: string, options: CallOptions): Promise<void>;
  deleteSession(sessionId: string, options: CallOptions): Promise<void>;
  /** Calls what is still unstable. Its schema is loaded with the first call. */
  callUnstable<Method extends UnstableMethod>(
    method: Method,
    params: UnstableRequests[Method]['params'],
    options: CallOptions,
  ): Promise<UnstableRequests[Method]['result']>;
  /**
   * Sends a prompt. Resolves at the latest when its turn has ended, for a version may say no earlier that the prompt was
   * accepted; rejects when it was not, or when the turn failed with it. The end itself is told to `ClientDuties.onTurnEnd`.
   */
  prompt(sessionId: string, prompt: Prompt, options: CallOptions): Promise<void>;
  /** A prompt that was sent into a turn is a turn by itself. Absent where its answer says all. */
  begins?(sessionId: string, prompt: Prompt): void;
  /** Asks the agent to end the running turn. */
  cancel(sessionId: string, meta?: Meta): void;
  /** Asks the agent to end one tool call, or the command of one terminal. Absent where a version has no such call. */
  cancelToolCall?(sessionId: string, toolCallId: string, options: CallOptions): Promise<void>;
  cancelTerminal?(sessionId: string, terminalId: string, options: CallOptions): Promise<void>;
  /** Absent where the mode is an option of the session. */
  setMode?(sessionId: string, modeId: string, options: CallOptions): Promise<void>;
  /** Returns all options as they are afterwards. */
  setOption(
    sessionId: string,
    optionId: string,
    value: string | boolean,
    options: CallOptions,
  ): Promise<readonly SessionConfigOption[]>;
}

/** What a message carries besides what the specification names: `_meta` on the wire. */
export type Meta = Readonly<Record<string, unknown>>;

export type UnstableMethod =
  | 'session/archive'
  | 'session/unarchive'
  | 'session/status'
  | 'session/set_title'
  | 'auth/status'
  | 'providers/list'
  | 'providers/set'
  | 'providers/disable';

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** `_meta` of the request. */
  readonly meta?: Meta | undefined;
}

export interface ReopenOptions extends CallOptions {
  /** The number of the last event that we have, for an agent that offers cursors. */
  readonly after?: number | undefined;
}

/** What the agent said of itself. */
export interface AgentFacts {
  readonly protocolVersion: number;
  readonly offers: AgentOffers;
  /** The name that the agent's version of the protocol has for an offer, for errors: `agentCapabilities.loadSession`. */
  readonly capabilityOf: (offer: AgentOffer) => string;
  /** The offers as they came, to be shown: in the words of the agent's version. */
  readonly capabilities: AgentCapabilities;
  readonly agentInfo: Implementation | undefined;
  /** `_meta` of its answer to `initialize`. */
  readonly meta: Meta | undefined;
  /** Whether the mode of a session is the option of category `mode`, and nothing beside it. Default: false. */
  readonly modeIsOption?: boolean;
}

/** Instructions for the model: beside the agent's own, or in their place. Unstable. */
export interface SystemPrompt {
  readonly mode: 'append' | 'override';
  readonly content: readonly ContentBlock[];
}

export interface SessionSetup {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  /** MCP servers that we are ourselves. */
  readonly acpServers?: readonly { readonly name: string; readonly serverId: string }[];
  readonly systemPrompt?: SystemPrompt;
  readonly meta?: Meta;
}

/** Modes and options that a session has when it is opened. */
export interface SessionSettings {
  readonly modes?: { readonly currentModeId: string; readonly availableModes: readonly SessionMode[] };
  readonly options?: readonly SessionConfigOption[];
  readonly commands?: readonly AvailableCommand[];
  /** What the session is doing, where the agent says it: with the turn, if one runs. */
  readonly state?: StateEvent;
  /** `_meta` of the agent's answer. */
  readonly meta?: Meta;
  /** What the answer says beside the fields of the specification. */
  readonly extra?: Extra;
}

export interface OpenedSession extends SessionSettings {
  readonly sessionId: string;
}

export interface SessionFilter {
  readonly cwd?: string;
  readonly cursor?: string;
  /** Whether archived sessions are listed. Default: `exclude`. Unstable. */
  readonly archived?: 'exclude' | 'include' | 'only';
}

export interface SessionPage {
  readonly sessions: readonly SessionInfo[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
  /** `_meta` of the agent's answer. */
  readonly meta?: Meta;
}

export interface Prompt {
  /** By this the end of its turn is known. */
  readonly promptId: string;
  readonly content: readonly ContentBlock[];
  /** It is for the turn that runs, and may become a turn of its own: `begins` tells that it has. */
  readonly isSteered?: boolean;
}

/** How a turn ended. */
export type TurnEnd =
  | {
      readonly type: 'turn_ended';
      /** Of the prompt that began the turn; undefined for a turn that another client has asked for. */
      readonly promptId: string | undefined;
      readonly stopReason: StopReason;
      readonly usage?: TokenUsage;
      /** The agent named the turn that ended, and did not only report an idle session. */
      readonly hasTurnId?: boolean;
      /** `_meta` of the agent's message that says so. */
      readonly meta?: Meta;
      /** What that message says beside the fields of the specification. */
      readonly extra?: Extra;
    }
  | { readonly type: 'turn_failed'; readonly promptId: string | undefined; readonly error: unknown };
