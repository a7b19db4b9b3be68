import type { AgentAddress, AgentSource, ClientSession, ConnectOptions, McpServerInput } from '@parley/client';
import type { PermissionMode } from '@parley/policy';
import type { PastTurn } from './chat/view/past-turns.ts';

/** An agent that a person named, by whatever name, found and ready to be started. */
export interface ResolvedAgent {
  /** The name that leads to it again: `parley`, `gemini`, or the command line itself. */
  readonly name: string;
  /** For people: `Gemini CLI`. */
  readonly title: string;
  readonly origin: 'own' | 'configured' | 'built-in' | 'registry' | 'command';
  readonly address: AgentAddress;
}

/** What the interactive chat is given. Everything that flags and settings decide is decided already. */
export interface ChatOptions {
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
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: McpServerInput;
  /** `_meta` of the requests that open sessions. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The mode to begin in, where the agent has it. */
  readonly mode?: string;
  /** A value of the agent's option of category `model`. */
  readonly model?: string;
  /** Values of further options of the agent, by id. */
  readonly settings?: Readonly<Record<string, string | boolean>>;
  /** Flat output, line by line, without repainting: for pipes, dumb terminals and screen readers. */
  readonly isPlain: boolean;
  /** How somebody who looks at another window is called, and after how long a turn. Default: with the bell. */
  readonly notify?: { readonly by: 'off' | 'bell' | 'osc'; readonly afterMs?: number };
  /** False under `NO_COLOR` and `TERM=dumb`. */
  readonly hasColor: boolean;
  /** The agent's id of a session to go on with, instead of a new one. */
  readonly resume?: string;
  /** How the turns of that session ended, which no agent tells again. */
  readonly pastTurns?: readonly PastTurn[];
  /** Sent at once. */
  readonly prompt?: string;
  /** Told of every session that is opened, so that it is found again by `parley sessions`. */
  readonly onSession?: (session: ClientSession) => void | Promise<void>;
  /** Writes down what was told so far; undefined when all of it is. The chat shows only what is written down. */
  readonly save?: () => Promise<void> | undefined;
  /** The command that resumes a session, to be shown at the end: `parley resume <id>`. */
  readonly resumeCommand?: (sessionId: string) => string;
}

/** Runs the chat until the person leaves; resolves to the exit code. `chat/run-chat.ts` exports one. */
export type RunChat = (options: ChatOptions) => Promise<number>;
