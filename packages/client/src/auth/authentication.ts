import { RpcError } from '@parley/jsonrpc';
import { kindOfError } from '@parley/protocol';
import { AuthRequiredError, UsageError } from '../errors.ts';
import type { Link } from '../link/link.ts';
import type { ReconnectingLink } from '../link/reconnecting-link.ts';
import type { Meta } from '../peer/agent-peer.ts';
import type { AgentSource, TerminalLogin } from '../source/agent-source.ts';
import { type AuthOptions, terminalLoginOf } from './auth-options.ts';

export interface AuthenticationContext {
  readonly source: AgentSource;
  readonly options: AuthOptions;
  readonly links: ReconnectingLink;
}

/** Logs in to the agent: when asked to, or by itself when the agent refuses a session for want of it. */
export class Authentication {
  readonly #context: AuthenticationContext;

  constructor(context: AuthenticationContext) {
    this.#context = context;
  }

  async authenticate(methodId: string, meta?: Meta): Promise<void> {
    const { link } = this.#context.links;
    const method = link.facts.offers.authMethods.find(({ id }) => id === methodId);
    if (!method) {
      const known = link.facts.offers.authMethods.map(({ id }) => id).join(', ') || 'none';
      throw new UsageError('unknown_choice', `The agent has no authentication method "${methodId}"; it has ${known}.`);
    }
    const login = terminalLoginOf(method);
    if (login) return this.#inTerminal(link, login);
    if (link.takesCredentials) {
      const credentials = await this.#context.options.credentials?.(method);
      if (credentials !== undefined) link.giveCredentials(methodId, credentials);
    }
    await link
      .runPhase('authenticate', (signal) => link.peer.authenticate(methodId, { signal, meta }))
      .catch((error) => {
        throw link.explain(error, 'authenticate');
      });
  }

  /** Runs a call; when the agent answers that it wants a login, logs in once, if we know how, and tries again. */
  async around<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof RpcError) || kindOfError(error) !== 'auth_required') throw error;
      const required = new AuthRequiredError(
        this.#context.source.name,
        this.#context.links.link.facts.offers.authMethods,
        error,
      );
      const methodId = await this.#choose(required);
      if (methodId === undefined) throw required;
      await this.authenticate(methodId);
      return await call();
    }
  }

  async #choose(error: AuthRequiredError): Promise<string | undefined> {
    const { method } = this.#context.options;
    return typeof method === 'function' ? await method(error) : method;
  }

  /** The specification has the client run the agent's own program with other arguments; exit code 0 is success (rule 45). */
  async #inTerminal(link: Link, method: TerminalLogin): Promise<void> {
    const { source, links } = this.#context;
    if (!source.authenticateInTerminal) {
      throw new UsageError(
        'not_available',
        `"${method.id}" logs in inside a terminal, which this connection cannot open.`,
      );
    }
    const hasSucceeded = await link.runPhase(
      'authenticate',
      (signal) => source.authenticateInTerminal?.(method, signal) ?? Promise.resolve(false),
    );
    if (!hasSucceeded)
      throw new UsageError(
        'not_available',
        `The login "${method.id}" did not succeed; try it again, or use another method.`,
      );
    // It must read its credentials again.
    await links.restart();
  }
}
