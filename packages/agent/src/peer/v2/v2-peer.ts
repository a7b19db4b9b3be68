import type { Connection, RequestOptions } from '@parley/jsonrpc';
import { enforceRules, type TerminalExitStatus } from '@parley/protocol';
import { type ClientRequests, type InitializeRequest, type SessionUpdate, v2 } from '@parley/protocol/v2';
import {
  type Answer,
  type ClientOffers,
  type FormAnswer,
  type NewFormQuestion,
  permissionToV1,
  type Question,
  type SessionEvent,
  type StateEvent,
} from '@parley/session';
import {
  clientOffersFromV2,
  eventToV2,
  formAnswerFromV2,
  formToV2,
  permissionAnswerFromV2,
  permissionToV2,
} from '@parley/session/v2';
import type { ClientInfo, ElicitationScope, TerminalOutput } from '../../contract/client-peer.ts';
import { CapabilityError } from '../../errors.ts';
import { withTotal } from '../../turn/token-count.ts';
import { readAnswer, requireParams } from '../ask-client.ts';
import type { ConnectedPeer } from '../peer-service.ts';
import { type PeerDefinition, VersionPeer } from '../version-peer.ts';
import { MessageNames } from './message-names.ts';
import { SessionStates } from './session-states.ts';

/** A client that speaks version 2 of the protocol. */
export class V2ClientPeer extends VersionPeer implements ConnectedPeer {
  readonly offers: ClientOffers;
  readonly info: ClientInfo;
  readonly hearsOwnPrompts = true;
  readonly #names = new MessageNames();
  readonly #states: SessionStates;

  constructor(connection: Connection, initialize: InitializeRequest, definition: PeerDefinition) {
    super(connection, definition);
    this.offers = clientOffersFromV2(initialize, definition.isUnstable);
    this.info = initialize.info;
    this.#states = new SessionStates((sessionId, state) => void this.#send(sessionId, state, undefined));
  }

  publish(sessionId: string, event: SessionEvent, seq?: number): void | Promise<void> {
    if (event.type === 'message_chunk' || event.type === 'thought_chunk') {
      const named = event.messageId === undefined ? this.#names.name(sessionId, event, seq) : event;
      return this.#send(sessionId, named, seq);
    }
    if (event.type === 'state' && !this.#states.see(sessionId, event)) return;
    return this.#send(sessionId, event, seq);
  }

  /** Before it is told a conversation anew, and when it has the session no longer open. */
  forget(sessionId: string): void {
    this.#names.forget(sessionId);
    // What turns did in the past is no state that the session is in. A client that goes by cursors tells turns apart.
    this.#states.forget(sessionId, !this.offers.cursors);
  }

  resume(sessionId: string): void {
    this.#names.forget(sessionId);
    this.#states.forget(sessionId, false);
  }

  /** Tells what a session is doing now, whatever was told before. */
  showState(sessionId: string, state: StateEvent): void {
    this.#states.set(sessionId, state);
  }

  /** A turn has ended, and the log could not tell that. */
  ensureIdle(sessionId: string, state: StateEvent): void {
    this.#states.ensureIdle(sessionId, state);
  }

  async ask(sessionId: string, question: Question, options: RequestOptions): Promise<Answer> {
    const unblock = this.#states.block(sessionId, options.signal);
    try {
      if (question.type === 'permission') {
        // The rules beside the schema are the same in both versions.
        if (!this.definition.isRelay) enforceRules('session/request_permission', permissionToV1(sessionId, question));
        const params = permissionToV2(sessionId, question);
        return permissionAnswerFromV2(await this.#request('session/request_permission', params, options));
      }
      const { toolCallId } = question;
      return await this.askForm({ sessionId, ...(toolCallId !== undefined && { toolCallId }) }, question, options);
    } finally {
      unblock();
    }
  }

  readTextFile(): Promise<string> {
    throw new CapabilityError('to read files', 'fs.readTextFile');
  }

  writeTextFile(): Promise<void> {
    throw new CapabilityError('to write files', 'fs.writeTextFile');
  }

  createTerminal(): Promise<string> {
    throw new CapabilityError('terminals', 'terminal');
  }

  terminalOutput(): Promise<TerminalOutput> {
    throw new CapabilityError('terminals', 'terminal');
  }

  waitForTerminalExit(): Promise<TerminalExitStatus> {
    throw new CapabilityError('terminals', 'terminal');
  }

  killTerminal(): Promise<void> {
    throw new CapabilityError('terminals', 'terminal');
  }

  releaseTerminal(): Promise<void> {
    throw new CapabilityError('terminals', 'terminal');
  }

  #send(sessionId: string, event: SessionEvent, seq: number | undefined): void | Promise<void> {
    const update = this.#toUpdate(event);
    if (!update) return;
    return this.sendUpdate(sessionId, update, seq);
  }

  /** Undefined: this client has no word for it. */
  #toUpdate(event: SessionEvent): SessionUpdate | undefined {
    const { isUnstable, isRelay } = this.definition;
    switch (event.type) {
      case 'notice':
        return event.title === '' ? undefined : eventToV2(event);
      case 'plan':
        return isUnstable || !(event.document || event.isRemoved) ? eventToV2(event) : undefined;
      case 'subagent':
      case 'session_message':
        // Events of a hosted agent's sub-agents reach such a client as updates of their root session.
        return isUnstable && !(isRelay && this.offers.nestedSubagents) ? eventToV2(event) : undefined;
      case 'state': {
        const update = eventToV2(event);
        if (!update || !isUnstable || !event.tokens) return update;
        return { ...update, usage: withTotal(event.tokens) } as SessionUpdate;
      }
      default:
        return eventToV2(event);
    }
  }

  protected async askForm(
    scope: ElicitationScope,
    question: NewFormQuestion,
    options: RequestOptions,
  ): Promise<FormAnswer> {
    // A request of this version always has an id.
    const params = formToV2(scope as Parameters<typeof formToV2>[0], question);
    return formAnswerFromV2(await this.#request('elicitation/create', params, options));
  }

  async #request<Method extends keyof ClientRequests>(
    method: Method,
    params: ClientRequests[Method]['params'],
    options: RequestOptions,
  ): Promise<ClientRequests[Method]['result']> {
    const { customContent, isRelay } = this.definition;
    requireParams(params, { params: v2.requests[method].params, customContent, isRelay });
    const answer = await this.request(method, params, options);
    return readAnswer(method, answer, (value) => v2.parseResult(method, value) as ClientRequests[Method]['result']);
  }
}
