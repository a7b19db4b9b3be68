import type { RequestContext } from '@parley/jsonrpc';
import { RpcError } from '@parley/jsonrpc';
import { errorOfKind } from '@parley/protocol';
import type { ClientPeer } from '../contract/client-peer.ts';
import type { AgentDefinition, AuthContext } from '../contract/definition.ts';
import type { Meta } from '../contract/session.ts';
import { TurnError } from '../errors.ts';
import { authRequired, handlerError, loginFailed } from '../refusals.ts';
import { BoundClient } from '../turn/bound-client.ts';
import { authMethodsFor } from './auth-methods.ts';
import type { Credentials } from './credentials.ts';

export interface AuthenticationOptions {
  readonly definition: AgentDefinition;
  readonly peer: ClientPeer;
  readonly principal: string;
  readonly credentials: Credentials;
  /** The method that logs in, for those who must. */
  readonly loginMethod: string;
}

interface AuthCall {
  readonly meta: Meta | undefined;
  readonly credentials?: unknown;
  /** What the client hears when the handler throws. */
  readonly refuse: (error: unknown) => RpcError;
}

/** Whether one client may use the agent, and how it gets there. A failed login leaves it free to try again. */
export class Authentication {
  readonly #definition: AgentDefinition;
  readonly #principal: string;
  readonly #peer: ClientPeer;
  readonly #credentials: Credentials;
  readonly #loginMethod: string;
  #isAuthenticated = false;
  /** What the client was last told without having asked. */
  #told: string | undefined;
  /** After a logout the check is no longer asked: it may still see what the agent has not forgotten yet. */
  #hasLoggedOut = false;

  constructor({ definition, peer, principal, credentials, loginMethod }: AuthenticationOptions) {
    this.#definition = definition;
    this.#peer = peer;
    this.#principal = principal;
    this.#credentials = credentials;
    this.#loginMethod = loginMethod;
  }

  /** Known without waiting; false may still mean that `require` lets the client in. */
  get isOpen(): boolean {
    return this.#isAuthenticated || this.#definition.authCheck === undefined;
  }

  async require(): Promise<void> {
    if (!this.isOpen && !(await this.#check())) throw authRequired(this.#loginMethod);
  }

  async authenticate(methodId: string, context: RequestContext, meta: Meta | undefined): Promise<void> {
    const credentials = this.#credentials.take(methodId);
    const usable = authMethodsFor(this.#definition, this.#peer.offers.terminalAuth);
    const method = usable.find(({ id }) => id === methodId);
    if (!method) {
      throw errorOfKind('invalid_auth_method', { message: `methodId: "${methodId}" is none of the authMethods` });
    }
    if (!method.handler) throw RpcError.invalidParams(`methodId: "${methodId}" is a login that the client runs itself`);
    await this.#call(method.handler, context, { meta, credentials, refuse: loginFailed });
    this.#isAuthenticated = true;
    this.#hasLoggedOut = false;
    await this.#tell();
  }

  async logout(context: RequestContext, meta: Meta | undefined): Promise<void> {
    const refuse = (error: unknown): RpcError => handlerError(error, 'to log out');
    if (this.#definition.onLogout) await this.#call(this.#definition.onLogout, context, { meta, refuse });
    this.#isAuthenticated = false;
    this.#hasLoggedOut = true;
    await this.#tell();
  }

  async status(): Promise<'authenticated' | 'unauthenticated' | 'not_required'> {
    if (this.#isAuthenticated) return 'authenticated';
    if (!this.#definition.authCheck) return 'not_required';
    return (await this.#check()) ? 'authenticated' : 'unauthenticated';
  }

  /** Unstable: the client hears of a login or logout, unless it was told the same before. */
  async #tell(): Promise<void> {
    if (!this.#definition.isUnstable) return;
    const state = await this.status();
    if (state === this.#told) return;
    this.#told = state;
    void this.#peer.notify('auth/status_update', { state });
  }

  async #check(): Promise<boolean> {
    if (this.#hasLoggedOut) return false;
    this.#isAuthenticated ||= (await this.#definition.authCheck?.({ principal: this.#principal })) ?? true;
    return this.#isAuthenticated;
  }

  async #call(
    handler: (context: AuthContext) => void | Promise<void>,
    context: RequestContext,
    { meta, credentials, refuse }: AuthCall,
  ) {
    const { signal } = context;
    const client = new BoundClient({
      peer: this.#peer,
      sessionId: '',
      cwd: '/',
      signal,
      scope: { requestId: context.id },
    });
    try {
      await handler({ principal: this.#principal, clientInfo: this.#peer.info, client, meta, credentials, signal });
    } catch (error) {
      if (signal.aborted) throw RpcError.requestCancelled();
      const refusal = refuse(error);
      // A refusal in words is the answer of the handler, not a fault of it.
      if (error instanceof TurnError) throw refusal;
      const { method, id } = context;
      this.#definition.report({
        kind: 'handler_failed',
        message: `${method} failed.`,
        direction: 'in',
        method,
        id,
        error,
      });
      throw refusal;
    }
  }
}
