import type { Connection, RequestOptions } from '@parley/jsonrpc';
import {
  type ClientRequests,
  enforceRules,
  type InitializeRequest,
  type SessionUpdate,
  type TerminalExitStatus,
  v1,
} from '@parley/protocol';
import {
  type Answer,
  besideFields,
  type ClientOffers,
  clientOffersFromV1,
  eventToV1,
  type FormAnswer,
  formAnswerFromV1,
  formToV1,
  type MessageChunk,
  type NewFormQuestion,
  type PermissionQuestion,
  type PlanEvent,
  permissionAnswerFromV1,
  permissionToV1,
  planToUnstableV1,
  type Question,
  type SessionEvent,
  stateToV1,
  type ThoughtChunk,
} from '@parley/session';
import type {
  ClientInfo,
  ElicitationScope,
  NewTerminal,
  ReadFile,
  TerminalKey,
  TerminalOutput,
  WriteFile,
} from '../../contract/client-peer.ts';
import { readAnswer, requireParams } from '../ask-client.ts';
import type { ConnectedPeer } from '../peer-service.ts';
import { type PeerDefinition, VersionPeer } from '../version-peer.ts';
import { ToldSession } from './told-session.ts';

/** A client that speaks version 1 of the protocol. */
export class V1ClientPeer extends VersionPeer implements ConnectedPeer {
  readonly offers: ClientOffers;
  readonly info: ClientInfo | undefined;
  readonly hearsOwnPrompts = false;
  /** Reads the terminals of an agent in the `_meta` of tool calls. */
  readonly #readsTerminals: boolean;
  readonly #told = new Map<string, ToldSession>();
  /** The message that was told last, of which most updates are a further piece. */
  #lastMessage: { readonly sessionId: string; readonly messageId: string } | undefined;

  constructor(connection: Connection, initialize: InitializeRequest, definition: PeerDefinition) {
    super(connection, definition);
    this.offers = clientOffersFromV1(initialize, definition.isUnstable);
    this.info = initialize.clientInfo ?? undefined;
    this.#readsTerminals = initialize.clientCapabilities?._meta?.terminal_output === true;
  }

  publish(sessionId: string, event: SessionEvent, seq?: number): void | Promise<void> {
    const update = this.#toUpdate(sessionId, event);
    if (!update) return;
    if (!Array.isArray(update)) return this.sendUpdate(sessionId, update as SessionUpdate, seq);
    let room: Promise<void> | undefined;
    for (const each of update) room = this.sendUpdate(sessionId, each, seq) ?? room;
    return room;
  }

  forget(sessionId: string): void {
    this.#told.delete(sessionId);
    this.#lastMessage = undefined;
  }

  resume(sessionId: string): void {
    this.forget(sessionId);
    this.#told.set(sessionId, new ToldSession({ readsTerminals: this.#readsTerminals, isResumed: true }));
  }

  async ask(sessionId: string, question: Question, options: RequestOptions): Promise<Answer> {
    if (question.type === 'permission') {
      const params = permissionToV1(sessionId, this.#asText(sessionId, question));
      return permissionAnswerFromV1(await this.#request('session/request_permission', params, options));
    }
    const { toolCallId } = question;
    return this.askForm({ sessionId, ...(toolCallId !== undefined && { toolCallId }) }, question, options);
  }

  async readTextFile({ sessionId, path, line, limit }: ReadFile, options: RequestOptions): Promise<string> {
    const range = { ...(line !== undefined && { line }), ...(limit !== undefined && { limit }) };
    return (await this.#request('fs/read_text_file', { sessionId, path, ...range }, options)).content;
  }

  async writeTextFile({ sessionId, path, content }: WriteFile, options: RequestOptions): Promise<void> {
    await this.#request('fs/write_text_file', { sessionId, path, content }, options);
  }

  async createTerminal(terminal: NewTerminal, options: RequestOptions): Promise<string> {
    const { sessionId, command, args, env, cwd, outputByteLimit } = terminal;
    const params = {
      sessionId,
      command,
      ...(args && { args: [...args] }),
      ...(env && { env: Object.entries(env).map(([name, value]) => ({ name, value })) }),
      ...(cwd !== undefined && { cwd }),
      ...(outputByteLimit !== undefined && { outputByteLimit }),
    };
    return (await this.#request('terminal/create', params, options)).terminalId;
  }

  async terminalOutput(terminal: TerminalKey, options: RequestOptions): Promise<TerminalOutput> {
    const { output, truncated, exitStatus } = await this.#request('terminal/output', terminal, options);
    return { output, truncated, ...(exitStatus && { exitStatus }) };
  }

  waitForTerminalExit(terminal: TerminalKey, options: RequestOptions): Promise<TerminalExitStatus> {
    return this.#request('terminal/wait_for_exit', terminal, options);
  }

  async killTerminal(terminal: TerminalKey, options: RequestOptions): Promise<void> {
    await this.#request('terminal/kill', terminal, options);
  }

  async releaseTerminal(terminal: TerminalKey, options: RequestOptions): Promise<void> {
    await this.#request('terminal/release', terminal, options);
  }

  protected async askForm(
    scope: ElicitationScope,
    question: NewFormQuestion,
    options: RequestOptions,
  ): Promise<FormAnswer> {
    return formAnswerFromV1(await this.#request('elicitation/create', formToV1(scope, question), options));
  }

  /** Undefined: this client has no word for it. */
  #toUpdate(sessionId: string, event: SessionEvent): SessionUpdate | readonly SessionUpdate[] | undefined {
    switch (event.type) {
      case 'message_chunk':
      case 'thought_chunk':
        return eventToV1(this.#asTold(sessionId, event), false);
      case 'whole_message':
      case 'whole_thought':
        this.#lastMessage = undefined;
        return this.#toldOf(sessionId).whole(event);
      case 'tool_call':
        return this.#toldOf(sessionId).toolCall(event);
      case 'tool_call_chunk':
        return this.#toldOf(sessionId).toolCallChunk(event);
      case 'terminal':
      case 'terminal_output':
        return event.isInMeta ? undefined : this.#toldOf(sessionId).terminals.see(event);
      case 'state':
        return this.offers.cursors ? stateToV1(event) : undefined;
      case 'notice':
        return this.offers.notices && event.title !== '' ? eventToV1(event, false) : undefined;
      case 'plan':
        return this.#toPlan(event);
      case 'subagent':
      case 'session_message':
        return this.offers.subagents && !this.#isNested ? eventToV1(event, false) : undefined;
      case 'compaction':
      case 'compaction_chunk':
        return this.offers.compaction ? eventToV1(event, false) : undefined;
      case 'config':
        if (this.offers.booleanOptions) return eventToV1(event, false);
        return eventToV1({ ...event, options: event.options.filter(({ type }) => type !== 'boolean') }, false);
      default:
        return eventToV1(event, false);
    }
  }

  /** Events of a hosted agent's sub-agents reach this client as updates of their root session. */
  get #isNested(): boolean {
    return this.offers.nestedSubagents && this.definition.isRelay;
  }

  /** A client that knows one plan only is shown the steps of the latest plan, and no plan without steps. */
  #toPlan(event: PlanEvent): SessionUpdate | undefined {
    const update = this.offers.plans ? planToUnstableV1(event) : undefined;
    if (update) return besideFields(update, event);
    return event.document ? undefined : eventToV1(event, false);
  }

  /** Pieces of a message that was replaced belong to what took its place. */
  #asTold<Chunk extends MessageChunk | ThoughtChunk>(sessionId: string, chunk: Chunk): Chunk {
    const { messageId } = chunk;
    const last = this.#lastMessage;
    if (messageId === undefined || (last?.messageId === messageId && last.sessionId === sessionId)) return chunk;
    const told = this.#toldOf(sessionId).messageId(messageId);
    if (told !== messageId) return { ...chunk, messageId: told };
    this.#lastMessage = { sessionId, messageId };
    return chunk;
  }

  /** A question about a tool call that shows terminals of the agent. */
  #asText(sessionId: string, question: PermissionQuestion): PermissionQuestion {
    const { content } = question.toolCall;
    const terminals = this.#told.get(sessionId)?.terminals;
    if (!content || !terminals || terminals.isEmpty) return question;
    return { ...question, toolCall: { ...question.toolCall, content: terminals.asText(content) } };
  }

  #toldOf(sessionId: string): ToldSession {
    let told = this.#told.get(sessionId);
    if (!told) {
      told = new ToldSession({ readsTerminals: this.#readsTerminals, isResumed: false });
      this.#told.set(sessionId, told);
    }
    return told;
  }

  async #request<Method extends keyof ClientRequests>(
    method: Method,
    params: ClientRequests[Method]['params'],
    options: RequestOptions,
  ): Promise<ClientRequests[Method]['result']> {
    const { customContent, isRelay } = this.definition;
    requireParams(params, { params: v1.requests[method].params, customContent, isRelay });
    if (!isRelay) enforceRules(method, params as never);
    const answer = await this.request(method, params, options);
    return readAnswer(method, answer, (value) => v1.parseResult(method, value) as ClientRequests[Method]['result']);
  }
}
