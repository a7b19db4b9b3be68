import type { AgentSource, ClientSession, ConnectOptions } from '@parley/client';
import type { PermissionMode } from '@parley/policy';
import type { ResolvedAgent } from '../agents/resolved-agent.ts';
import type { SessionPlan, StoredSession } from '../run/open-session.ts';
import type { PastTurn } from '../view/past-turns.ts';

/** Whom a chat talks to, and under which rules. */
export interface ChatTarget {
  readonly agent: ResolvedAgent;
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
  /** Where sessions are opened, with what, and what they are set to. */
  readonly session: SessionPlan;
  /** Told of every session that is opened, so that it is found again by `parley sessions`. `say` reaches the person. */
  readonly onSession?: (session: ClientSession, say: (text: string) => void) => void | Promise<void>;
}

/** A target, and the session to go on with there, if it is not a new one. */
export interface ChatDestination {
  readonly target: ChatTarget;
  readonly resume?: StoredSession | undefined;
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
  readonly resume?: StoredSession;
  /** How the turns of that session ended, which no agent tells again. */
  readonly pastTurns?: readonly PastTurn[];
  /** Sent at once. */
  readonly prompt?: string;
  /** Where the chat can go from here. Without it, it stays with its agent and what that opens. */
  readonly directory?: ChatDirectory;
  /** Writes down what was told so far; undefined when all of it is. The chat shows only what is written down. */
  readonly save?: () => Promise<void> | undefined;
  /** The id under which a session of the agent's is kept; undefined when the agent's own is all there is. */
  readonly idOf?: (sessionId: string) => string | undefined;
  /** Gives a session of the agent's a title; false when nothing of it is kept. */
  readonly rename?: (sessionId: string, title: string) => Promise<boolean>;
  /**
   * The command that resumes a session of the agent's, to be shown at the end: `parley sessions resume <id>`. Undefined
   * when nothing of it is kept.
   */
  readonly resumeCommand?: (sessionId: string) => Promise<string | undefined>;
}

/** Runs the chat until the person leaves; resolves to the exit code. `chat/run-chat.ts` exports one. */
export type RunChat = (options: ChatOptions) => Promise<number>;
