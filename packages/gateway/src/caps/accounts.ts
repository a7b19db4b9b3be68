import type { AgentActivity } from '@parley/agent';
import type { RpcError } from '@parley/jsonrpc';
import type { Monitor } from '../events/monitor.ts';
import { Account } from './account.ts';
import { type CapsSetting, capsOf } from './caps.ts';

/** The accounts of all principals; one principal's use is never another's. */
export class Accounts {
  readonly #setting: CapsSetting | undefined;
  readonly #monitor: Monitor;
  readonly #accounts = new Map<string, Account>();

  constructor(setting: CapsSetting | undefined, monitor: Monitor) {
    this.#setting = setting;
    this.#monitor = monitor;
  }

  /** Whether anything is capped at all. */
  get isNeeded(): boolean {
    return this.#setting !== undefined;
  }

  of(principal: string): Account {
    const known = this.#accounts.get(principal);
    if (known) return known;
    const onCapped = (cap: Parameters<ConstructorParameters<typeof Account>[1]>[0], limit: number): void =>
      this.#monitor.tell({ kind: 'capped', principal, cap, limit });
    const account = new Account(capsOf(this.#setting, principal), onCapped);
    this.#accounts.set(principal, account);
    return account;
  }

  /** Counts the sessions that are open. */
  see(agent: string, principal: string, { kind, sessionId }: AgentActivity): void {
    if (kind === 'session_opened') this.of(principal).sessionOpened(sessionKey(agent, sessionId));
    else if (kind === 'session_closed') this.of(principal).sessionClosed(sessionKey(agent, sessionId));
  }

  /** Why a request must not be carried out; or what is to be done when it has been. */
  admit(
    place: { readonly agent: string; readonly principal: string },
    method: string,
    sessionId: string | undefined,
  ): RpcError | (() => void) | undefined {
    const account = this.of(place.principal);
    const refusal = account.request();
    if (refusal || !OPENING.has(method)) return refusal;
    const isKnown = method !== 'session/fork' && sessionId !== undefined;
    return account.openSession(isKnown ? sessionKey(place.agent, sessionId) : undefined);
  }
}

const OPENING: ReadonlySet<string> = new Set(['session/new', 'session/load', 'session/resume', 'session/fork']);

function sessionKey(agent: string, sessionId: string): string {
  return `${agent}/${sessionId}`;
}
