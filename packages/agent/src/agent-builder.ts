import type { CloseReason, Transport } from '@parley/jsonrpc';
import type { AvailableCommand } from '@parley/protocol';
import type { Agent } from './agent.ts';
import { type ActivityListener, ActivityListeners } from './contract/activity.ts';
import type {
  AcceptedContent,
  AcceptedMcp,
  AgentDefinition,
  AgentOptions,
  AuthCheck,
  AuthHandler,
  AuthMethod,
  AuthMethodDefinition,
  CommandDefinition,
  DeleteHandler,
  ExtensionNotificationHandler,
  ExtensionRequestHandler,
  LogoutHandler,
  SessionHandler,
  SettingHandler,
} from './contract/definition.ts';
import type { ModeDefinition, OptionDefinition } from './contract/settings.ts';
import type { ToolDefinition } from './contract/tool-call.ts';
import type { PromptHandler } from './contract/turn.ts';
import { reportToConsole, safely } from './diagnostics.ts';
import { AgentDefinitionError } from './errors.ts';
import { DEFAULT_AGENT_LIMITS } from './limits.ts';
import { requireContentType, requireExtension, requireNew, requireOption } from './require-definition.ts';
import { type ServeOptions, serveTransport } from './serve/serve.ts';
import { type ConnectionListener, serveListener } from './serve/serve-listener.ts';
import { type AgentAtWork, closeAgent } from './service/agent-at-work.ts';

/** Puts an agent together; `.serve()` sets it to work. */
export function agent(options: AgentOptions): Agent {
  return new AgentBuilder(options);
}

class AgentBuilder implements Agent {
  readonly #options: AgentOptions;
  readonly #modes: ModeDefinition[] = [];
  readonly #optionList: OptionDefinition[] = [];
  readonly #commands: AvailableCommand[] = [];
  readonly #commandHandlers = new Map<string, PromptHandler>();
  readonly #tools = new Map<string, ToolDefinition>();
  readonly #content = new Set<AcceptedContent>();
  readonly #mcp = new Set<AcceptedMcp>();
  readonly #authMethods: AuthMethod[] = [];
  readonly #requests = new Map<string, ExtensionRequestHandler>();
  readonly #notifications = new Map<string, ExtensionNotificationHandler[]>();
  #authCheck: AuthCheck | undefined;
  #onLogout: LogoutHandler | undefined;
  #onSession: SessionHandler | undefined;
  #onSetting: SettingHandler | undefined;
  #onDelete: DeleteHandler | undefined;
  #onAnyRequest: ExtensionRequestHandler | undefined;
  #onAnyNotification: ExtensionNotificationHandler | undefined;
  #onPrompt: PromptHandler | undefined;
  readonly #activity = new ActivityListeners();
  #atWork: AgentAtWork | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  onPrompt(handler: PromptHandler): Agent {
    return this.#register(() => {
      this.#onPrompt = handler;
    });
  }

  mode(mode: ModeDefinition): Agent {
    return this.#register(() => {
      requireNew('mode', mode.id, this.#modes);
      this.#modes.push(mode);
    });
  }

  option(option: OptionDefinition): Agent {
    return this.#register(() => {
      requireOption(option, this.#optionList);
      this.#optionList.push(option);
    });
  }

  command({ name, description, hint }: CommandDefinition, handler?: PromptHandler): Agent {
    return this.#register(() => {
      const others = this.#commands.map((command) => ({ id: command.name }));
      requireNew('command', name, others);
      if (/[\s/]/.test(name)) throw new AgentDefinitionError(`The command "${name}" must be one word without a slash.`);
      this.#commands.push({ name, description, ...(hint !== undefined && { input: { hint } }) });
      if (handler) this.#commandHandlers.set(name, handler);
    });
  }

  tool(tool: ToolDefinition): Agent {
    return this.#register(() => {
      const others = [...this.#tools.keys()].map((id) => ({ id }));
      requireNew('tool', tool.name, others);
      this.#tools.set(tool.name, tool);
    });
  }

  accepts(...content: readonly AcceptedContent[]): Agent {
    return this.#register(() => {
      for (const each of content) this.#content.add(each);
    });
  }

  acceptsMcp(...servers: readonly AcceptedMcp[]): Agent {
    return this.#register(() => {
      for (const each of servers) this.#mcp.add(each);
    });
  }

  auth(method: AuthMethodDefinition, handler?: AuthHandler): Agent {
    return this.#register(() => {
      requireNew('login method', method.id, this.#authMethods);
      if (!method.terminal && !handler)
        throw new AgentDefinitionError(`The login method "${method.id}" needs a handler, unless it is a terminal one.`);
      this.#authMethods.push({ ...method, handler: method.terminal ? undefined : handler });
    });
  }

  requireAuth(check: AuthCheck = () => false): Agent {
    return this.#register(() => {
      this.#authCheck = check;
    });
  }

  onLogout(handler: LogoutHandler): Agent {
    return this.#register(() => {
      this.#onLogout = handler;
    });
  }

  onSession(handler: SessionHandler): Agent {
    return this.#register(() => {
      this.#onSession = handler;
    });
  }

  onSetting(handler: SettingHandler): Agent {
    return this.#register(() => {
      this.#onSetting = handler;
    });
  }

  onDelete(handler: DeleteHandler): Agent {
    return this.#register(() => {
      this.#onDelete = handler;
    });
  }

  onAnyRequest(handler: ExtensionRequestHandler): Agent {
    return this.#register(() => {
      this.#onAnyRequest = handler;
    });
  }

  onAnyNotification(handler: ExtensionNotificationHandler): Agent {
    return this.#register(() => {
      this.#onAnyNotification = handler;
    });
  }

  onRequest(method: `_${string}`, handler: ExtensionRequestHandler): Agent {
    return this.#register(() => {
      requireExtension(method);
      this.#requests.set(method, handler);
    });
  }

  onNotification(method: `_${string}`, handler: ExtensionNotificationHandler): Agent {
    return this.#register(() => {
      requireExtension(method);
      this.#notifications.set(method, [...(this.#notifications.get(method) ?? []), handler]);
    });
  }

  observe(listener: ActivityListener): () => void {
    return this.#activity.add(listener);
  }

  drain(message: string): void {
    this.#activity.drainMessage = message;
  }

  async interrupt(message: string): Promise<void> {
    await this.#atWork?.runtime?.registry.interrupt(message);
  }

  async serve(wire: Transport | ConnectionListener, options: ServeOptions = {}): Promise<CloseReason> {
    this.#atWork ??= { definition: this.#define(), serving: new Map(), listeners: new Set(), isClosed: false };
    if (this.#atWork.isClosed) throw new AgentDefinitionError('This agent is closed.', 'agent_closed');
    if (!('connections' in wire)) return serveTransport(this.#atWork, wire, options);
    return serveListener(this.#atWork, wire, options);
  }

  async close(): Promise<void> {
    if (this.#atWork) await closeAgent(this.#atWork);
  }

  #register(change: () => void): Agent {
    const message = 'This agent serves clients already; register everything before .serve().';
    if (this.#atWork) throw new AgentDefinitionError(message, 'agent_in_use');
    change();
    return this;
  }

  #define(): AgentDefinition {
    const { name, version, title, store, permissions = {}, limits, onDiagnostic = reportToConsole } = this.#options;
    const { additionalDirectories = false, unstable = false, sessionSettings = false, relay = false } = this.#options;
    const { steering = false } = this.#options;
    const { meta, capabilitiesMeta, relayedCapabilities, latestVersion = 2 } = this.#options;
    const { providers, systemPrompt } = unstable ? this.#options : {};
    const { legacyModels = false, customContent = [], imageMimeTypes, audioMimeTypes, checkDirectory } = this.#options;
    if (!this.#onPrompt)
      throw new AgentDefinitionError(`Agent "${name}" has no prompt handler; add one with .onPrompt().`);
    return {
      info: { name, version, ...(title !== undefined && { title }) },
      store,
      permissions: typeof permissions === 'function' ? permissions : () => permissions,
      takesDirectories: additionalDirectories,
      hasOwnSettings: sessionSettings,
      isSteerable: steering,
      isRelay: relay,
      relayed: relay ? relayedCapabilities : undefined,
      latestVersion,
      meta,
      capabilitiesMeta,
      isUnstable: unstable,
      providers,
      systemPrompt,
      tellsLegacyModels: legacyModels,
      customContent: new Set(customContent.map(requireContentType)),
      imageMimeTypes,
      audioMimeTypes,
      checkDirectory,
      limits: { ...DEFAULT_AGENT_LIMITS, ...limits },
      report: safely(onDiagnostic),
      activity: this.#activity,
      modes: this.#modes,
      options: this.#optionList,
      content: this.#content,
      mcp: this.#mcp,
      commands: this.#commands,
      commandHandlers: this.#commandHandlers,
      tools: this.#tools,
      authMethods: this.#authMethods,
      authCheck: this.#authCheck,
      onLogout: this.#onLogout,
      onSession: this.#onSession,
      onSetting: this.#onSetting,
      onDelete: this.#onDelete,
      onAnyRequest: this.#onAnyRequest,
      onAnyNotification: this.#onAnyNotification,
      onPrompt: this.#onPrompt,
      requests: this.#requests,
      notifications: this.#notifications,
    };
  }
}
