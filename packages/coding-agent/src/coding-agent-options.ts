import type { AgentDiagnostic, AgentOptions } from '@parley/agent';
import type { DiscoverOptions, RetryOptions } from '@parley/models';
import type { Environment, ProvidersSettings } from '@parley/models/discovery';
import type { PermissionMode, RememberedStore, Rule } from '@parley/policy';
import type { McpServer } from '@parley/protocol';
import type { CalledAgents } from './agents/called-agent.ts';
import type { Hooks } from './hooks/hooks.ts';
import type { WebOptions } from './operations/web/web.ts';
import type { PersonalFolders } from './project/folders.ts';
import type { SandboxSetting } from './sandbox/choose-sandbox.ts';
import type { TaskLimits } from './tasks/task-limits.ts';

export interface CodingAgentOptions {
  /** Where sessions live, or what opens it when the first session needs it. Default: in memory. */
  readonly store?: AgentOptions['store'];
  /** As of any agent, such as how long a session in a shared store stays with a process that was lost. */
  readonly limits?: AgentOptions['limits'];
  /** Where keys and addresses of models are looked for. Default: this process's environment. */
  readonly env?: Environment;
  /** Arguments with which this program asks for a key in a terminal and keeps it; clients offer that as a login. Default: it cannot. */
  readonly loginArgs?: readonly string[];
  /** How models are found; tests and embedders bring their own. */
  readonly discover?: Omit<DiscoverOptions, 'env' | 'providers' | 'model'>;
  /** Providers besides those that keys in the environment lead to, by name; see docs/concepts/models.md. */
  readonly providers?: ProvidersSettings;
  readonly permissions?: {
    /** What runs without asking in new sessions. Default: `default`, which asks. */
    readonly mode?: PermissionMode;
    /** Rules besides the built-in ones that let it look around: `Bash(npm test)`, `deny Read(.env)`. */
    readonly rules?: readonly (Rule | string)[];
    /** Where answers with "always" are kept. Default: in memory, for the session. */
    readonly remembered?: RememberedStore;
  };
  /** Which commands run in the sandbox of new sessions. Default: `unasked`, the commands that run without a question. */
  readonly sandbox?: SandboxSetting;
  /** The model that new sessions begin with, by its name or a part of it, where it is within reach. Default: the best that is. */
  readonly model?: string;
  /** Keeps the model that a person chose last: new sessions begin with it where `model` names none. Default: it is not kept. */
  readonly lastModel?: LastModel;
  /** Told to the model at the beginning of every new session, after everything else. */
  readonly initialMessage?: string;
  /** MCP servers of every session in a folder, besides those that the client names; the client's win where names clash. */
  readonly mcpServers?: (cwd: string) => readonly McpServer[] | Promise<readonly McpServer[]>;
  /**
   * Agents that ours may call as a tool, by name: `{ reviewer: spawnAgent('gemini', ['--acp']) }`, or with limits, a mode and words
   * for the model. Default: none, and then there is no such tool.
   */
  readonly agents?: CalledAgents;
  /** Where the person keeps instructions, commands and skills for all projects. Default: nowhere. */
  readonly personal?: PersonalFolders;
  /** Whether the person trusts a file of a project with exactly this text, so that it may tell the model what to do: a skill. Default: no. */
  readonly isTrusted?: (file: { readonly path: string; readonly text: string }) => boolean | Promise<boolean>;
  /** Programs that hear of the tool calls of sessions in a folder, and may block them. Must not throw. Default: none. */
  readonly hooks?: (cwd: string) => Hooks | Promise<Hooks>;
  /** How far the sub-agents of the tool `task` may go; false: there is no such tool. */
  readonly tasks?: TaskLimits | false;
  /** How patient it is with a model that fails. Default: 10 tries, with waits of 2 to 30 s. */
  readonly retry?: Pick<RetryOptions, 'maxAttempts' | 'baseDelayMs' | 'maxDelayMs' | 'maxRetryAfterMs'>;
  /** After how much silence of the model the person is told of it. Default: 20 s. */
  readonly silenceMs?: number;
  /** How many requests one turn may make to the model. Default: 100. */
  readonly maxRequests?: number;
  /** Lets the model search the web by way of its provider, which has its price. Default: false. */
  readonly webSearch?: boolean;
  readonly web?: WebOptions;
  /** What `~` stands for in rules. Default: the person's home directory. */
  readonly home?: string;
  /** Hears of everything that went wrong. Default: failures go to stderr. */
  readonly onDiagnostic?: (diagnostic: AgentDiagnostic) => void;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** Where the model that a person chose last is kept. Neither may throw. */
export interface LastModel {
  load(): Promise<string | undefined>;
  save(modelId: string): Promise<void>;
}
