import type { AgentRequests, AuthStatusResponse, ProviderInfo, SetProviderRequest } from '@parley/protocol/unstable';
import type { AgentOffer } from '@parley/session';
import { UsageError } from '../errors.ts';
import type { UnstableMethod } from '../peer/agent-peer.ts';
import type { AgentCalls } from './agent-calls.ts';
import { requireOffer } from './agent-calls.ts';

/** Where the agent's models come from. Unstable. */
export interface Providers {
  list(): Promise<readonly ProviderInfo[]>;
  /** Takes the place of the provider's whole setting, until the agent ends. */
  set(setting: SetProviderRequest): Promise<void>;
  disable(providerId: string): Promise<void>;
}

export interface UnstableOptions {
  readonly unstable?: boolean;
  /** The MCP servers that we are ourselves, by id. */
  readonly acpServers?: Readonly<Record<string, { readonly name: string }>>;
}

/** The unstable calls of the protocol: made only with `connect(..., { unstable: true })`, and where it is advertised. */
export class UnstableCalls {
  readonly #calls: AgentCalls;
  readonly #options: UnstableOptions;

  constructor(calls: AgentCalls, options: UnstableOptions) {
    this.#calls = calls;
    this.#options = options;
  }

  /** The MCP servers that we are ourselves, where the agent takes such. */
  get acpServers(): readonly { readonly name: string; readonly serverId: string }[] {
    const { acpServers = {}, unstable = false } = this.#options;
    if (!unstable || !this.#calls.facts.offers.mcpAcp) return [];
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
    return this.#call('auth/status', {}, 'authStatus');
  }

  async archive(sessionId: string): Promise<void> {
    await this.#call('session/archive', { sessionId }, 'archiveSession');
  }

  async unarchive(sessionId: string): Promise<void> {
    await this.#call('session/unarchive', { sessionId }, 'archiveSession');
  }

  async status(sessionId: string): Promise<string> {
    return (await this.#call('session/status', { sessionId }, 'sessionStatus')).status;
  }

  /** Returns the title as the agent has kept it. */
  async setTitle(sessionId: string, title: string): Promise<string> {
    return (await this.#call('session/set_title', { sessionId, title }, 'setSessionTitle')).title;
  }

  /** Throws unless this client uses unstable calls, and the agent offers this one. */
  require(what: string, offer: AgentOffer): void {
    if (!this.#options.unstable) {
      const message = `${what} is still unstable in the protocol; connect with { unstable: true } to use it.`;
      throw new UsageError('not_available', message);
    }
    requireOffer(this.#calls.facts, offer, what);
  }

  async #call<Method extends UnstableMethod>(
    method: Method,
    params: AgentRequests[Method]['params'],
    offer: AgentOffer,
  ): Promise<AgentRequests[Method]['result']> {
    this.require(method, offer);
    return this.#calls.call(method, (peer, options) => peer.callUnstable(method, params, options));
  }
}
