import { hasCapability } from '@parley/protocol';
import type { AgentRequests, AuthStatusResponse, ProviderInfo, SetProviderRequest } from '@parley/protocol/unstable';
import { CapabilityError, UsageError } from '../errors.ts';
import type { UnstableMethod } from '../peer/agent-peer.ts';
import type { ConnectOptions } from './connect-options.ts';
import type { ConnectionCore } from './connection-core.ts';

/** Where the agent's models come from. Unstable. */
export interface Providers {
  list(): Promise<readonly ProviderInfo[]>;
  /** Takes the place of the provider's whole setting, until the agent ends. */
  set(setting: SetProviderRequest): Promise<void>;
  disable(providerId: string): Promise<void>;
}

/** What of the protocol is still unstable: asked of an agent only with `connect(..., { unstable: true })`, and where it is advertised. */
export class UnstableCalls {
  readonly #core: ConnectionCore;
  readonly #options: ConnectOptions;

  constructor(core: ConnectionCore, options: ConnectOptions) {
    this.#core = core;
    this.#options = options;
  }

  /** The MCP servers that we are ourselves, where the agent takes such. */
  get acpServers(): readonly { readonly name: string; readonly serverId: string }[] {
    const { acpServers = {}, unstable = false } = this.#options;
    if (!unstable || !this.#isAdvertised('mcpCapabilities.acp')) return [];
    return Object.entries(acpServers).map(([serverId, { name }]) => ({ name, serverId }));
  }

  get providers(): Providers {
    return {
      list: async () => (await this.#call('providers/list', {}, 'providers')).providers,
      set: async (setting) => void (await this.#call('providers/set', setting, 'providers')),
      disable: async (providerId) => void (await this.#call('providers/disable', { providerId }, 'providers')),
    };
  }

  authStatus(): Promise<AuthStatusResponse> {
    return this.#call('auth/status', {}, 'auth.status');
  }

  async archive(sessionId: string): Promise<void> {
    await this.#call('session/archive', { sessionId }, 'sessionCapabilities.archive');
  }

  async unarchive(sessionId: string): Promise<void> {
    await this.#call('session/unarchive', { sessionId }, 'sessionCapabilities.archive');
  }

  async status(sessionId: string): Promise<string> {
    return (await this.#call('session/status', { sessionId }, 'sessionCapabilities.status')).status;
  }

  /** Returns the title as the agent has kept it. */
  async setTitle(sessionId: string, title: string): Promise<string> {
    return (await this.#call('session/set_title', { sessionId, title }, 'sessionCapabilities.title')).title;
  }

  /** Throws unless this client uses what is unstable, and the agent has this of it. */
  require(what: string, capability: string): void {
    if (!this.#options.unstable) {
      const message = `${what} is still unstable in the protocol; connect with { unstable: true } to use it.`;
      throw new UsageError('not_available', message);
    }
    if (!this.#isAdvertised(capability)) throw new CapabilityError(what, `agentCapabilities.${capability}`);
  }

  #isAdvertised(capability: string): boolean {
    return hasCapability({ agentCapabilities: this.#core.facts.capabilities }, `agentCapabilities.${capability}`);
  }

  async #call<Method extends UnstableMethod>(
    method: Method,
    params: AgentRequests[Method]['params'],
    capability: string,
  ): Promise<AgentRequests[Method]['result']> {
    this.require(method, capability);
    return this.#core.call(method, (peer, options) => peer.callUnstable(method, params, options));
  }
}
