import type { Connection } from '@parley/jsonrpc';
import type { ResultOf, Validator } from '@parley/protocol';
import type { AgentRequests as UnstableRequests } from '@parley/protocol/unstable';
import type { CallOptions, Meta, SessionSetup, UnstableMethod } from './agent-peer.ts';
import type { ClientDuties } from './client-duties.ts';
import type { OnInvalid } from './protocol-version.ts';
import { requireSendable, withMeta, withUnstable } from './requests.ts';

export interface VersionPeerParts {
  readonly connection: Connection;
  readonly duties: Pick<ClientDuties, 'onTurnEnd'>;
  readonly onInvalid: OnInvalid;
}

/** The methods of a version of the protocol. */
export interface MethodTable<Name extends string> {
  readonly requests: { readonly [Method in Name]: { readonly params: Validator<unknown> } };
  parseResult(method: Name, answer: unknown): unknown;
}

/** The calls to an agent that every version of the protocol words alike. */
export abstract class VersionPeer<Requests> {
  readonly connection: Connection;
  protected readonly duties: VersionPeerParts['duties'];
  protected readonly onInvalid: OnInvalid;
  protected abstract readonly methods: MethodTable<keyof Requests & string>;

  constructor({ connection, duties, onInvalid }: VersionPeerParts) {
    this.connection = connection;
    this.duties = duties;
    this.onInvalid = onInvalid;
  }

  /** Loaded when it is first needed: most clients never call these. */
  protected abstract loadUnstable(): Promise<MethodTable<UnstableMethod>>;

  cancel(sessionId: string, meta?: Meta): void {
    void this.connection.notify('session/cancel', withMeta({ sessionId }, meta));
  }

  async callUnstable<Method extends UnstableMethod>(
    method: Method,
    params: UnstableRequests[Method]['params'],
    options: CallOptions,
  ): Promise<UnstableRequests[Method]['result']> {
    const unstable = await this.loadUnstable();
    requireSendable(method, unstable.requests[method].params, params);
    const answer = await this.connection.request(method, withMeta(params, options.meta), options);
    return unstable.parseResult(method, answer) as UnstableRequests[Method]['result'];
  }

  protected async request<Method extends keyof Requests & string>(
    method: Method,
    params: object,
    options: CallOptions,
    setup?: SessionSetup,
  ): Promise<ResultOf<Requests, Method>> {
    this.requireValid(method, params);
    const sent = withUnstable(withMeta(params, options.meta), setup);
    const answer = await this.connection.request(method, sent, options);
    return this.methods.parseResult(method, answer) as ResultOf<Requests, Method>;
  }

  protected requireValid(method: keyof Requests & string, params: unknown): void {
    requireSendable(method, this.methods.requests[method].params, params);
  }
}
