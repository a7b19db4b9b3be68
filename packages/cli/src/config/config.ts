import type { McpServerConfig, RuleLists } from '@parley/client';
import type { ExitCodeSet } from '@parley/host/command-line';
import type { McpServer } from '@parley/protocol';
import type { ProviderConfig } from './provider-keys.ts';
import type { ServeConfig } from './serve-config.ts';

/** Everything that a settings file may say. Nothing in it is required. */
export interface Config {
  /** For editors: where the JSON schema is. */
  readonly $schema?: string;
  /** The agent that `parley` talks to when none is named. */
  readonly defaultAgent?: string;
  /** Agents by name. */
  readonly agents?: Readonly<Record<string, AgentConfig>>;
  /** What `parley serve` hosts, where, and for whom. */
  readonly serve?: ServeConfig;
  readonly permissions?: PermissionConfig;
  /** Which commands our own coding agent runs in a sandbox. */
  readonly sandbox?: 'unasked' | 'always' | 'off';
  /** What a question becomes when nobody can be asked. */
  readonly nonInteractivePermissions?: 'deny' | 'fail';
  readonly format?: Format;
  /** Seconds. */
  readonly timeout?: number;
  /** Seconds that each phase on the way to a session may take. */
  readonly deadlines?: Readonly<Partial<Record<DeadlineName, number>>>;
  readonly mcpServers?: readonly McpServer[] | Readonly<Record<string, McpServerConfig>>;
  readonly model?: string;
  /** Providers and servers of models for our own coding agent, by name. */
  readonly providers?: Readonly<Record<string, ProviderConfig>>;
  /** Requests that our own coding agent may make to its model in one turn. */
  readonly maxRequests?: number;
  /** Sub-agents of our own coding agent: how far they may go and with which model; false: none. */
  readonly tasks?: boolean | TasksConfig;
  /** Whether our own coding agent may search the web by way of its model's provider. */
  readonly webSearch?: boolean;
  /** Programs that hear of the tool calls of our own coding agent. */
  readonly hooks?: HooksConfig;
  readonly mode?: string;
  /** The authentication method to use, by agent name or `*`. */
  readonly auth?: Readonly<Record<string, string>>;
  readonly authPolicy?: 'skip' | 'fail';
  readonly dialect?: string;
  /** The version of ACP to speak. */
  readonly protocol?: 1 | 2 | 'auto';
  readonly exitCodes?: ExitCodeSet;
  /** Serve files and commands to agents that use them. */
  readonly fs?: boolean;
  readonly terminal?: boolean;
  readonly plain?: boolean;
  readonly notify?: 'off' | 'bell' | 'osc';
  readonly theme?: 'auto' | 'light' | 'dark';
  readonly keys?: 'readline' | 'vim';
}

export interface TasksConfig {
  readonly maxRequests?: number;
  readonly maxParallel?: number;
  readonly model?: string;
}

export type Format = 'text' | 'json' | 'quiet';

export type DeadlineName = 'spawn' | 'initialize' | 'authenticate' | 'session';

/** A command to run or an address to dial; the shapes of Zed, JetBrains, acp-ui and acpx are all read. */
export interface AgentConfig {
  readonly command?: string;
  readonly args?: readonly string[];
  /** acpx's way: command and arguments in one list. */
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>> | readonly NamedValue[];
  readonly cwd?: string;
  /** Words in front of the command. */
  readonly prefix?: readonly string[];
  readonly sandbox?: boolean | AgentSandboxConfig;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>> | readonly NamedValue[];
  /** For `url`: the bearer token, or the file or the environment variable that has it; `${NAME}` is filled in. */
  readonly token?: string;
  readonly tokenFile?: string;
  readonly tokenEnv?: string;
  /** For `url`: a file with the certificates of authorities to trust. */
  readonly ca?: string;
  /** How it is reached, where that is written: `stdio`, `http`, `sse`, `post`, `websocket`. */
  readonly transport?: string;
  readonly title?: string;
  readonly dialect?: string;
  readonly protocol?: 1 | 2 | 'auto';
  /** Whether our own coding agent may call it as a tool, and how far it may go then. */
  readonly asTool?: boolean | AsToolConfig;
}

/** A sandbox around the whole process of an agent. */
export interface AgentSandboxConfig {
  /** `on`, `off`, or the hosts that it may reach: `api.example.com`, `*.example.com`, `localhost:8080`. Default: on. */
  readonly network?: 'on' | 'off' | readonly string[];
  /** Folders that it may change besides the workspace and its own settings. */
  readonly writable?: readonly string[];
}

export interface AsToolConfig {
  readonly description?: string;
  readonly mode?: string;
  readonly model?: string;
  readonly maxToolCalls?: number;
  readonly maxSeconds?: number;
}

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

export interface PermissionConfig extends RuleLists {
  readonly mode?: string;
  /** How far an answer "always" reaches. */
  readonly remember?: 'session' | 'project' | 'user';
}

export interface HooksConfig {
  readonly beforeTool?: readonly HookConfig[];
  readonly afterTool?: readonly HookConfig[];
}

export interface HookConfig {
  readonly command: string;
  readonly tools?: readonly string[];
  /** Seconds. */
  readonly timeout?: number;
}
