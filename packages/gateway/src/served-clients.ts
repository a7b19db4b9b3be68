import { randomUUID } from 'node:crypto';
import type { Agent } from '@parley/agent';
import type { CloseReason, RpcError, Transport } from '@parley/jsonrpc';
import { errorOfKind } from '@parley/protocol';
import type { Accounts } from './caps/accounts.ts';
import type { Monitor } from './events/monitor.ts';
import { type EndedRequest, ServedWire } from './events/served-wire.ts';
import type { GatewayServeOptions } from './gateway-options.ts';
import type { HostedAgent } from './host/hosted-agent.ts';
import type { SessionOverview } from './sessions/session-overview.ts';
import type { Traffic } from './traffic/traffic.ts';

/** What begins something new, beside prompts, which the agents refuse themselves: a prompt that is sent again is not new. */
const BEGINS_SESSION: ReadonlySet<string> = new Set(['session/new', 'session/fork']);

const CHANGES_SESSION: ReadonlySet<string> = new Set([
  'session/delete',
  'session/set_title',
  'session/archive',
  'session/unarchive',
]);

export interface ServedClientsOptions {
  readonly monitor: Monitor;
  readonly accounts: Accounts;
  readonly overview: SessionOverview;
  readonly traffic: Traffic | undefined;
  /** Why no session may be begun; undefined while one may. */
  readonly whyRefused: () => string | undefined;
}

/** Who is connected, to which agent. */
interface Connected {
  readonly agent: string;
  readonly principal: string;
  readonly connection: string;
}

/** The clients that are connected to a gateway, each with what it is counted, watched and told apart by. */
export class ServedClients {
  readonly #options: ServedClientsOptions;
  #count = 0;

  constructor(options: ServedClientsOptions) {
    this.#options = options;
  }

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /** Serves one of them until it leaves. */
  async serve(
    wire: Transport,
    served: HostedAgent | Agent,
    options: GatewayServeOptions & { readonly agent: string; readonly principal: string },
  ): Promise<CloseReason> {
    const { agent, principal, via, remote, ...rest } = options;
    const { monitor } = this.#options;
    const client: Connected = { agent, principal, connection: randomUUID().slice(0, 8) };
    const startedAt = performance.now();
    this.#count += 1;
    const from = { ...(via !== undefined && { via }), ...(remote !== undefined && { remote }) };
    monitor.tell({ kind: 'client_connected', ...client, ...from });
    let reason: CloseReason = { kind: 'failed' };
    try {
      // Sessions of one agent are unknown to the others, although they share a store.
      const owner = `${agent}/${principal}`;
      const serving = {
        whenClientLeaves: 'keep',
        ...rest,
        ...(via !== undefined && { via }),
        principal: owner,
      } as const;
      reason = await served.serve(this.#tap(wire, client), serving);
      return reason;
    } finally {
      this.#count -= 1;
      const durationMs = performance.now() - startedAt;
      const { kind, error } = reason;
      monitor.tell({ kind: 'client_left', ...client, reason: kind, ...(error && { error }), durationMs });
    }
  }

  /** Looks at what passes only as far as somebody wants to know, or something is capped. */
  #tap(wire: Transport, client: Connected): Transport {
    const { accounts, monitor, traffic } = this.#options;
    const account = accounts.of(client.principal);
    return new ServedWire(wire, {
      admit: (method, sessionId) => this.#admit(client, method, sessionId),
      traffic: traffic?.openClient(client),
      ...(accounts.isNeeded && { notify: () => account.notify() }),
      ...(Number.isFinite(account.caps.bytesPerSecond) && { receive: (bytes) => account.receive(bytes) }),
      ...(monitor.isHeard && {
        onRequest: (ended) => {
          monitor.tell({ kind: 'request', ...client, ...ended });
          this.#seeRequest(client, ended);
        },
        onPrompt: (sessionId, characters) => monitor.tell({ kind: 'prompted', ...client, sessionId, characters }),
      }),
    });
  }

  #admit(client: Connected, method: string, sessionId: string | undefined): RpcError | (() => void) | undefined {
    const { accounts, whyRefused } = this.#options;
    const message = BEGINS_SESSION.has(method) ? whyRefused() : undefined;
    if (message !== undefined) return errorOfKind('busy', { message, data: { reason: 'draining' } });
    return accounts.isNeeded ? accounts.admit(client, method, sessionId) : undefined;
  }

  /** What changes a stored session is no activity in it. */
  #seeRequest({ agent, principal }: Connected, { method, sessionId, direction }: EndedRequest): void {
    if (direction === 'in' && sessionId !== undefined && CHANGES_SESSION.has(method))
      this.#options.overview.touch({ agent, principal, sessionId });
  }
}
