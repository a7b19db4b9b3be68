import type { AvailableCommand } from '@parley/protocol';
import type { SessionStore } from '@parley/store';
import type { AgentDiagnostic } from '../diagnostics.ts';
import type { AgentLimits } from '../limits.ts';
import type { ActivityListeners } from './activity.ts';
import type { Client } from './client.ts';
import type { ClientInfo } from './client-peer.ts';
import type { PermissionSettings } from './permission-settings.ts';
import type { ProviderHandlers } from './providers.ts';
import type { Meta, Session, SessionEnd } from './session.ts';
import type { OptionValue, SettingDefinitions } from './settings.ts';
import type { ToolDefinition } from './tool-call.ts';
import type { PromptHandler } from './turn.ts';

export interface AgentOptions {
  readonly name: string;
  readonly version: string;
  /** The name as people read it. */
  readonly title?: string;
  /** Where sessions live, or what opens it when the first session needs it. Default: in memory, as long as this agent. */
  readonly store?: SessionStore | (() => SessionStore | Promise<SessionStore>);
  /** What may happen without asking the person, the same for all sessions or for each its own. Default: nothing that `turn.askPermission` is called for. */
  readonly permissions?: PermissionSettings | ((session: Session) => PermissionSettings);
  /** The agent heeds directories that a client adds to a session: `session.roots`. Default: false. */
  readonly additionalDirectories?: boolean;
  /**
   * Serves what is still unstable in the protocol, and may change: fork, archive, status and title of sessions, the state of the
   * login, tokens in the answer to a prompt, and with the options below providers and system prompts. Default: false.
   */
  readonly unstable?: boolean;
  /** Lets clients see and set where models come from: `providers/*`. Needs `unstable`. */
  readonly providers?: ProviderHandlers;
  /** Takes a client's instructions for the model: beside the agent's own (`append`), or also in their place. Needs `unstable`. */
  readonly systemPrompt?: 'append' | 'override';
  /**
   * Tells the values of the option of category `model` a second time, in the field `models` that clients from before
   * session options read. It is no part of the specification any more. `session/set_model` is served in any case. Default: false.
   */
  readonly legacyModels?: boolean;
  /** Content types of your own that the agent says and shows: `['_chart']`. Clients that know none of it show a placeholder. */
  readonly customContent?: readonly `_${string}`[];
  /** The images that prompts may hold, such as `IMAGE_MIME_TYPES` of the protocol. Default: any, once `image` is accepted. */
  readonly imageMimeTypes?: readonly string[];
  /** The sounds that prompts may hold, such as `AUDIO_MIME_TYPES`. Default: any, once `audio` is accepted. */
  readonly audioMimeTypes?: readonly string[];
  /**
   * Looks at the directory that a session is to work in, and says what is wrong with it: `there is no such directory`.
   * The session is then refused. Default: any absolute path is taken, since the directory may be on another machine.
   */
  readonly checkDirectory?: DirectoryCheck;
  /** Turns take what the person sends while they run: `turn.takeMessages`. Default: false; such prompts wait for the turn's end. */
  readonly steering?: boolean;
  /** Sessions may have modes and options of their own: `session.setSettings`. Default: false. */
  readonly sessionSettings?: boolean;
  /**
   * What sessions tell and ask comes from another agent, and is passed on as it came: nothing of it is checked or refused. A client
   * that reads slowly is told from the log, and holds up nothing. Default: false.
   */
  readonly relay?: boolean;
  /**
   * Capabilities of the agent that is passed on, as it worded them: those of which this agent has none by that name are told beside
   * its own, to clients of the same version. Their methods go to `onAnyRequest`. Needs `relay`.
   */
  readonly relayedCapabilities?: RelayedCapabilities;
  /** The latest version of the protocol that is spoken. Default: 2. */
  readonly latestVersion?: 1 | 2;
  /** `_meta` of the answer to `initialize`. */
  readonly meta?: Meta;
  /** `_meta` of the capabilities in that answer. */
  readonly capabilitiesMeta?: Meta;
  readonly limits?: Partial<AgentLimits>;
  /** Hears of everything that went wrong. Default: failures of the agent's own code go to the console's error stream. */
  readonly onDiagnostic?: (diagnostic: AgentDiagnostic) => void;
}

/** What another agent said that it can, in `initialize`. */
export interface RelayedCapabilities {
  /** The version of the protocol that it said it in. */
  readonly version: number;
  readonly capabilities: object;
}

/** What is wrong with a directory, in a few words; undefined when nothing is. */
export type DirectoryCheck = (path: string) => string | undefined | Promise<string | undefined>;

/** Content beyond text and links, which every agent takes. */
export type AcceptedContent = 'image' | 'audio' | 'resource';
/** MCP servers beyond stdio, which every agent takes. `acp`: those that the client itself provides; needs `unstable`. */
export type AcceptedMcp = 'http' | 'sse' | 'acp';

export interface CommandDefinition {
  readonly name: string;
  readonly description: string;
  /** What may follow the name. */
  readonly hint?: string;
}

/** A way to log in. `terminal` is one that the client runs: the agent's own program with these arguments. */
export interface AuthMethodDefinition {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly terminal?: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> };
  /** `_meta` of the method. */
  readonly meta?: Meta;
  /** Further fields of the method, for kinds that the specification does not have yet. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface AuthContext {
  readonly principal: string;
  readonly clientInfo: ClientInfo | undefined;
  /** Asks the client for what the login needs. It has no session. */
  readonly client: Client;
  readonly meta: Meta | undefined;
  /**
   * The secrets that the client sent along, `{ apiKey: '...' }`: only clients of the dialect `pharo` do. They are in no
   * message, no log and no trace.
   */
  readonly credentials: unknown;
  readonly signal: AbortSignal;
}

export interface SessionContext {
  readonly session: Session;
  readonly reason: 'new' | 'load' | 'resume' | 'fork';
  readonly client: Client;
  readonly meta: Meta | undefined;
  readonly signal: AbortSignal;
}

export interface DeletedSession {
  readonly sessionId: string;
  readonly principal: string;
  /** The agent's own data about it, as it was saved last. */
  readonly state: Readonly<Record<string, unknown>>;
}

export interface SettingContext {
  readonly session: Session;
  /** The option, or `mode`. */
  readonly id: string;
  readonly value: OptionValue;
}

export interface ExtensionContext {
  readonly method: string;
  readonly params: unknown;
  readonly principal: string;
  /** A session that this client has open. */
  readonly session: (sessionId: string) => Session | undefined;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** Logs in by one method; throw to refuse, a `TurnError` to say why. */
export type AuthHandler = (context: AuthContext) => void | Promise<void>;
/** Whether this client needs no login, because the agent has what it needs already. */
export type AuthCheck = (context: { readonly principal: string }) => boolean | Promise<boolean>;
export type LogoutHandler = (context: AuthContext) => void | Promise<void>;
/** Prepares a session, such as by connecting to its MCP servers. What it returns is called when the session closes. */
export type SessionHandler = (context: SessionContext) => SessionCleanup | Promise<SessionCleanup>;
export type SessionCleanup = void | ((end: SessionEnd) => void | Promise<void>);
/** Called when a session was deleted, open or not. */
export type DeleteHandler = (context: DeletedSession) => void | Promise<void>;
/** Called before a setting that the person chose takes effect; throw to refuse it. */
export type SettingHandler = (context: SettingContext) => void | Promise<void>;
export type ExtensionRequestHandler = (context: ExtensionContext) => unknown;
export type ExtensionNotificationHandler = (context: Omit<ExtensionContext, 'signal'>) => void;

export interface AuthMethod extends AuthMethodDefinition {
  readonly handler: AuthHandler | undefined;
}

/** An agent as it was put together, complete and never changed again. */
export interface AgentDefinition extends SettingDefinitions {
  readonly info: { readonly name: string; readonly version: string; readonly title?: string };
  readonly store: AgentOptions['store'];
  readonly permissions: (session: Session) => PermissionSettings;
  readonly takesDirectories: boolean;
  readonly isSteerable: boolean;
  readonly isRelay: boolean;
  readonly relayed: RelayedCapabilities | undefined;
  readonly latestVersion: 1 | 2;
  readonly meta: Meta | undefined;
  readonly capabilitiesMeta: Meta | undefined;
  readonly isUnstable: boolean;
  readonly providers: ProviderHandlers | undefined;
  readonly systemPrompt: 'append' | 'override' | undefined;
  readonly tellsLegacyModels: boolean;
  readonly customContent: ReadonlySet<string>;
  readonly imageMimeTypes: readonly string[] | undefined;
  readonly audioMimeTypes: readonly string[] | undefined;
  readonly checkDirectory: DirectoryCheck | undefined;
  readonly limits: AgentLimits;
  readonly report: (diagnostic: AgentDiagnostic) => void;
  readonly activity: ActivityListeners;
  readonly content: ReadonlySet<AcceptedContent>;
  readonly mcp: ReadonlySet<AcceptedMcp>;
  readonly commands: readonly AvailableCommand[];
  readonly commandHandlers: ReadonlyMap<string, PromptHandler>;
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly authMethods: readonly AuthMethod[];
  /** Present when nothing may be done without a login. */
  readonly authCheck: AuthCheck | undefined;
  readonly onLogout: LogoutHandler | undefined;
  readonly onSession: SessionHandler | undefined;
  readonly onSetting: SettingHandler | undefined;
  readonly onDelete: DeleteHandler | undefined;
  /** Take what no other handler takes, and is no part of the protocol. */
  readonly onAnyRequest: ExtensionRequestHandler | undefined;
  readonly onAnyNotification: ExtensionNotificationHandler | undefined;
  readonly onPrompt: PromptHandler;
  readonly requests: ReadonlyMap<string, ExtensionRequestHandler>;
  readonly notifications: ReadonlyMap<string, readonly ExtensionNotificationHandler[]>;
}
