import type { PermissionOptions } from '../permissions/permission-options.ts';
import type { ElicitationOptions } from '../questions/elicitation.ts';
import type { TerminalHost, TerminalHostOptions } from '../terminals/terminal-host.ts';
import type { Workspace, WorkspaceOptions } from '../workspace/workspace.ts';
import type { AcpServerOptions } from './acp-servers.ts';

/** What this client does for the agent. */
export interface ServiceOptions {
  /** Serves the agent's `fs/*`; plain options need a source with a host, such as `spawnAgent`. */
  readonly workspace?: Workspace | WorkspaceOptions;
  /** Serves the agent's `terminal/*`; `true` and plain options need a source with a host. */
  readonly terminals?: boolean | TerminalHost | TerminalHostOptions;
  /**
   * Answers requests of the agent for files and terminals that are somebody else's, whole and as they came: none of the rules here are
   * asked then. Undefined for those that `workspace` and `terminals` are to serve, which say what is advertised in any case.
   */
  readonly elsewhere?: (method: string, params: unknown, signal: AbortSignal) => Promise<unknown> | undefined;
  /** Answers permission requests. Without it, all are rejected. */
  readonly permissions?: PermissionOptions;
  readonly elicitation?: ElicitationOptions;
  /** Methods besides ACP's own, by name. Notifications that nobody knows are ignored. */
  readonly extensions?: Extensions;
  /**
   * Uses what is still unstable in the protocol, and may change: archive, status and title of sessions, the state of the login,
   * providers, system prompts, MCP servers of our own. Each still needs the agent to advertise it. Default: false.
   */
  readonly unstable?: boolean;
  /** MCP servers that we are ourselves, by id; every session is told of them where the agent takes such. Needs `unstable`. */
  readonly acpServers?: Readonly<Record<string, AcpServerOptions>>;
  /** Answers `mcp/message` for servers that somebody else provides, in place of `acpServers`; `notify` tells the agent what a server tells. Needs `unstable`. */
  readonly answerMcp?: (
    params: unknown,
    call: { readonly signal: AbortSignal; readonly notify: (params: object) => void },
  ) => Promise<unknown>;
}

export interface Extensions {
  readonly requests?: Readonly<Record<string, (params: unknown, signal: AbortSignal) => unknown>>;
  /** One handler or several, which are called in their order. */
  readonly notifications?: Readonly<Record<string, ExtensionListener | readonly ExtensionListener[]>>;
  /** Answers every other request that is no part of the protocol; what it throws is the answer. */
  readonly anyRequest?: (method: string, params: unknown, signal: AbortSignal) => unknown;
  /** Takes every other notification that is no part of the protocol. */
  readonly anyNotification?: (method: string, params: unknown) => void;
}

/** Takes a notification that is none of the protocol's. */
export type ExtensionListener = (params: unknown) => void;
