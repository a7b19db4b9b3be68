import type { DialectSetting } from '@parley/dialects';
import type { Implementation } from '@parley/protocol';
import type { AuthOptions } from '../auth/auth-options.ts';
import type { Clock } from '../clock.ts';
import type { ClientDiagnostic } from '../diagnostics.ts';
import type { ClientLimits } from '../limits.ts';
import type { Meta } from '../peer/agent-peer.ts';
import type { ProtocolSetting } from '../peer/versions.ts';
import type { PermissionOptions } from '../permissions/permission-options.ts';
import type { ElicitationOptions } from '../questions/elicitation.ts';
import type { AcpServerOptions } from '../services/acp-servers.ts';
import type { OnSessionLost } from '../session/session.ts';
import type { TerminalHost, TerminalHostOptions } from '../terminals/terminal-host.ts';
import type { TraceOptions } from '../trace/trace.ts';
import type { Workspace, WorkspaceOptions } from '../workspace/workspace.ts';
import type { Deadlines, PhaseEvent } from './link/phase.ts';
import type { RetryOptions } from './link/retry.ts';
import type { WatchdogOptions } from './link/silence-watchdog.ts';

/** What this client is and does for the agent. Only what is set here is advertised. */
export interface ConnectOptions {
  /** Who we are. Default: Parley. */
  readonly clientInfo?: Implementation;
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
  readonly auth?: AuthOptions;
  /** How the agent words ACP; `auto` finds out. Default: `canonical`. */
  readonly dialect?: DialectSetting;
  /**
   * Which version of ACP is spoken; `auto` takes the best that the agent speaks. Dialects are of version 1. Default: `auto`, and 1 where
   * `workspace` or `terminals` are served, since an agent of version 2 can use neither.
   */
  readonly protocol?: ProtocolSetting;
  /** How long each phase may take. */
  readonly deadlines?: Partial<Deadlines>;
  readonly limits?: Partial<ClientLimits>;
  /** Opens the agent again when it is lost, and its sessions where it can. Needs a source. Default: false. */
  readonly reconnect?: boolean;
  /** What becomes of a session that the agent says it no longer has. Default: `load`. */
  readonly onSessionLost?: OnSessionLost;
  /** `_meta` of `initialize`. The answer's is `connection.meta`. */
  readonly meta?: Meta;
  /** How calls that are safe to repeat are repeated; false for never. Default: up to five times, after 1, 2, 4 and 8 s. */
  readonly retry?: Partial<Pick<RetryOptions, 'maxAttempts' | 'firstPauseMs'>> | false;
  /** Records every message. */
  readonly trace?: TraceOptions;
  /** Reports when the agent falls silent. */
  readonly watchdog?: WatchdogOptions;
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
  /**
   * Content types of your own that prompts may hold: `['_chart']`, or `any`. Agents built with Parley get them as they were
   * sent.
   */
  readonly customContent?: readonly `_${string}`[] | 'any';
  /** The images that prompts may hold, such as `IMAGE_MIME_TYPES` of the protocol. Default: any that the agent takes. */
  readonly imageMimeTypes?: readonly string[];
  /** The sounds that prompts may hold, such as `AUDIO_MIME_TYPES`. Default: any that the agent takes. */
  readonly audioMimeTypes?: readonly string[];
  readonly onPhase?: (event: PhaseEvent) => void;
  /** Is called for everything odd that did not end the connection. */
  readonly onDiagnostic?: (diagnostic: ClientDiagnostic) => void;
  /** Gives up connecting. */
  readonly signal?: AbortSignal;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** From 0 to 1, for pauses between tries. Default: `Math.random`. */
  readonly random?: () => number;
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

export const DEFAULT_CLIENT_INFO: Implementation = { name: 'parley', title: 'Parley', version: '0.1.0' };
