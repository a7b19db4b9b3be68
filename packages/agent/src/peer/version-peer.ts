import type { Connection, RequestOptions } from '@parley/jsonrpc';
import { type ClientOffers, type FormAnswer, META, type NewFormQuestion } from '@parley/session';
import type { ElicitationAnswer, ElicitationScope, McpCall } from '../contract/client-peer.ts';
import type { AgentDefinition } from '../contract/definition.ts';
import { askClient, tellClient } from './ask-client.ts';
import { McpCalls } from './mcp-calls.ts';

export type PeerDefinition = Pick<AgentDefinition, 'customContent' | 'isUnstable' | 'isRelay'>;

/** The calls to a client that every version of the protocol words alike. */
export abstract class VersionPeer {
  abstract readonly offers: ClientOffers;
  readonly mcp: McpCalls = new McpCalls((method, params, options) => this.request(method, params, options));
  protected readonly connection: Connection;
  protected readonly definition: PeerDefinition;

  constructor(connection: Connection, definition: PeerDefinition) {
    this.connection = connection;
    this.definition = definition;
  }

  protected abstract askForm(
    scope: ElicitationScope,
    question: NewFormQuestion,
    options: RequestOptions,
  ): Promise<FormAnswer>;

  async elicit(
    scope: ElicitationScope,
    question: NewFormQuestion,
    options: RequestOptions,
  ): Promise<ElicitationAnswer> {
    const { type: _, ...answer } = await this.askForm(scope, question, options);
    return answer;
  }

  completeElicitation(elicitationId: string): void {
    void this.connection.notify('elicitation/complete', { elicitationId });
  }

  callMcp(call: McpCall, options: RequestOptions): Promise<unknown> {
    return this.mcp.call(call, options);
  }

  request(method: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    return askClient(this.connection, method, params, options);
  }

  notify(method: string, params?: unknown): void | Promise<void> {
    return this.connection.notify(method, params);
  }

  protected sendUpdate(sessionId: string, update: object, seq: number | undefined): void | Promise<void> {
    const params =
      seq === undefined || !this.offers.cursors
        ? { sessionId, update }
        : { sessionId, update, _meta: { [META.cursor]: seq } };
    return tellClient(this.connection, 'session/update', params);
  }
}
