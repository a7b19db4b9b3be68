import type {
  AgentAddress,
  AgentConnection,
  AgentSource,
  ClientSession,
  ConnectOptions,
  SessionOptions,
  SessionSettings,
} from '@parley/client';
import type { PermissionMode } from '@parley/policy';
import type { PastTurn } from '../view/past-turns.ts';

/** The agent of a chat. */
export interface ChatAgent {
  /** The name that leads to it again: `gemini`, or the command line itself. */
  readonly name: string;
  /** For people: `Gemini CLI`. */
  readonly title: string;
  readonly address: AgentAddress;
}

/** A session that the agent may still have, with what it was set to when it was last open. */
export interface ChatSession extends Pick<SessionSettings, 'mode' | 'settings'> {
  /** What a person types. */
  readonly id: string;
  /** The agent's name. */
  readonly agent: string;
  /** The agent's own id; undefined for a session that was never opened. */
  readonly agentSessionId?: string;
  /** The id under which a host opens it. Default: the agent's own. */
  readonly logId?: string;
}

/** How a session is opened in a chat. */
export interface OpenChatSessionOptions {
  /** Opened again, with its conversation, instead of a new one. */
  readonly stored?: ChatSession | undefined;
  /** True for a fork, which keeps the settings of the session that it comes from. */
  readonly keepsSettings?: boolean;
  /** Reaches the person: settings that could not be made, and whatever else stops nothing. */
  readonly say: (text: string) => void;
}

/** Connects to the agent of a chat; `say` reaches the person. */
export type ConnectTo = (
  source: AgentSource,
  options: ConnectOptions,
  say: (text: string) => void,
) => Promise<AgentConnection>;

/** Whom a chat talks to, and under which rules. */
export interface ChatTarget {
  readonly agent: ChatAgent;
  /** Starts the agent. Pass it to `connect`. */
  readonly source: AgentSource;
  /**
   * Deadlines, files, terminals, authentication, trace, and permissions by mode, rules and memory. The chat adds what
   * needs a screen: `permissions.ask`, `elicitation`, `onPhase`, `watchdog`. `say` reaches the person.
   */
  readonly connect: (say: (text: string) => void) => ConnectOptions;
  /** False: what rules, mode and memory do not allow is rejected without asking. Default: true. */
  readonly mayAsk?: boolean;
  /** What the flags and settings allow without asking, to be told in the status line. Default: `default`. */
  readonly permissionMode?: PermissionMode | 'denyAll';
  /** Where sessions are opened, and with what. */
  readonly session: SessionOptions;
  /** Opens a session, new or stored, and sets its mode, model and options. */
  readonly openSession: (connection: AgentConnection, options: OpenChatSessionOptions) => Promise<ClientSession>;
  /** Whether a session has begun without a model, so that a login should begin another. Default: never. */
  readonly isOffline?: (session: ClientSession) => boolean;
  /** Connects to the agent, such as by a host that keeps its sessions. Default: `connect`. */
  readonly connectTo?: ConnectTo | undefined;
  /** Told of every session that is opened, so that it is found again by `parley sessions`. `say` reaches the person. */
  readonly onSession?: (session: ClientSession, say: (text: string) => void) => void | Promise<void>;
}

/** A target, and the session to go on with there, if it is not a new one. */
export interface ChatDestination {
  readonly target: ChatTarget;
  readonly resume?: ChatSession | undefined;
  /** How the turns of that session ended, which no agent tells again. */
  readonly pastTurns?: readonly PastTurn[] | undefined;
}

/** What else there is to talk to: the saved sessions of this folder, and the agents that can be started. */
export interface ChatDirectory {
  sessions(): Promise<readonly ListedSession[]>;
  openSession(id: string): Promise<ChatDestination>;
  agents(): Promise<readonly { readonly name: string; readonly title: string }[]>;
  openAgent(name: string): Promise<ChatDestination>;
}

/** A saved session, in the words of a list. */
export interface ListedSession {
  readonly id: string;
  /** The agent's own id. */
  readonly agentSessionId: string;
  readonly title: string;
  /** Its agent and how old it is. */
  readonly about: string;
}

/** What the interactive chat is given. Everything that flags and settings decide is decided already. */
export interface ChatOptions extends ChatTarget {
  /** Flat output, line by line, without repainting: for pipes, dumb terminals and screen readers. */
  readonly isPlain: boolean;
  /** How somebody who looks at another window is called, and after how long a turn. Default: with the bell. */
  readonly notify?: { readonly by: 'off' | 'bell' | 'osc'; readonly afterMs?: number };
  /** False under `NO_COLOR` and `TERM=dumb`. */
  readonly hasColor: boolean;
  /** Light or dark; `auto` asks the terminal. Default: `auto`. */
  readonly theme?: 'auto' | 'light' | 'dark';
  /** Which keys edit the prompt. Default: readline's. */
  readonly keys?: 'readline' | 'vim';
  /** A session to go on with, instead of a new one. */
  readonly resume?: ChatSession;
  /** How the turns of that session ended, which no agent tells again. */
  readonly pastTurns?: readonly PastTurn[];
  /** Sent at once. */
  readonly prompt?: string;
  /** Where the chat can go from here. Without it, it stays with its agent and what that opens. */
  readonly directory?: ChatDirectory;
  /** What a person types to name a session of the agent's. Default: the agent's own id. */
  readonly shownId?: (sessionId: string) => string;
  /** Gives a session of the agent's a title; false when nothing of it is kept. */
  readonly rename?: (sessionId: string, title: string) => Promise<boolean>;
  /**
   * The command that resumes a session of the agent's, to be shown at the end: `parley sessions resume <id>`. Undefined
   * when nothing of it is kept.
   */
  readonly resumeCommand?: (sessionId: string) => Promise<string | undefined>;
}

/** How a chat ended. */
export type ChatEnd =
  /** The person left. */
  | 'left'
  /** The person left before there was a session, or by ctrl+c where only lines are read. */
  | 'interrupted'
  /** SIGTERM. */
  | 'terminated'
  /** The terminal is closed. */
  | 'hungUp'
  /** The agent exited, and no person is there to restart it. */
  | 'agentDied'
  /** The reader of the output closed it. */
  | 'readerGone'
  | 'outputFailed';
