import { type AvailableCommand, type ContentBlock, textOfContent } from '@parley/protocol';
import type {
  CancellablePart,
  FormAnswer,
  NewFormQuestion,
  NoticeEvent,
  PlanEntry,
  PlanEvent,
  SessionEvent,
  UsageEvent,
} from '@parley/session';
import { planAtEnd } from '@parley/session/log';
import type { ClientPeer, ElicitationAnswer } from '../contract/client-peer.ts';
import type { AskPermissionOptions, PermissionDecision } from '../contract/permission-settings.ts';
import type { Meta } from '../contract/session.ts';
import type { OptionValue } from '../contract/settings.ts';
import type { NewToolCall, ToolCallHandle } from '../contract/tool-call.ts';
import type {
  Compaction,
  InvokedCommand,
  NewShownTerminal,
  ShownTerminal,
  TokenCount,
  Turn,
  UserMessage,
} from '../contract/turn.ts';
import type { AgentDiagnosticKind } from '../diagnostics.ts';
import { LogFailedError, TurnAbortError } from '../errors.ts';
import { createDeferred, unawaited } from '../promises.ts';
import { BoundClient } from './bound-client.ts';
import { OpenCompaction, toContent } from './compaction.ts';
import { askPermission } from './permission.ts';
import { createPromptId, type Prompt } from './prompt.ts';
import { readCommand } from './prompt-text.ts';
import { OpenShownTerminal } from './shown-terminal.ts';
import { addTokens } from './token-count.ts';
import { describeToolCall, OpenToolCall } from './tool-call.ts';
import { TurnParts } from './turn-parts.ts';
import type { TurnInProgress, TurnSession } from './turn-session.ts';

export class RunningTurn implements Turn, TurnInProgress {
  readonly id: string;
  readonly session: TurnSession;
  readonly asker: ClientPeer | undefined;
  readonly client: BoundClient;
  readonly content: readonly ContentBlock[];
  readonly meta: Meta | undefined;
  readonly isSteered: boolean;
  readonly #controller = new AbortController();
  readonly #parts = new TurnParts();
  readonly #inserted = createDeferred();
  readonly #answered = createDeferred();
  readonly #listeners = new Set<() => void>();
  #messagesAnswered: Promise<void> | undefined;
  #compaction: OpenCompaction | undefined;
  #lastId = 0;
  /** The message or thought that goes on when more of it is said. */
  #message: { readonly type: 'message_chunk' | 'thought_chunk'; readonly id: string } | undefined;
  #plan: PlanEvent | undefined;
  #tokens: TokenCount | undefined;
  #isCancelled = false;
  isOver = false;

  constructor(session: TurnSession, asker: ClientPeer | undefined, prompt: Prompt) {
    this.id = prompt.promptId ?? createPromptId();
    this.session = session;
    this.asker = asker;
    this.content = prompt.content;
    this.meta = prompt.meta;
    this.isSteered = prompt.isSteered ?? false;
    this.client = new BoundClient({
      peer: () => session.viewers.peerFor(asker),
      sessionId: session.id,
      cwd: session.cwd,
      signal: this.signal,
      whenShown: () => session.whenSeen(session.viewers.peerFor(asker)),
      ask: (question, signal) => this.#askForm(question, signal),
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Whether the end of the turn may need further updates. */
  get hasUnfinished(): boolean {
    return this.#parts.size > 0 || this.#plan !== undefined;
  }

  /** Resolves when the prompt is part of the conversation, and everybody who sees it has been told. */
  get inserted(): Promise<void> {
    return this.#inserted.promise;
  }

  /** Pending until a client that hears at once that its prompt was inserted has heard it; its turn does not end before that. */
  get answered(): Promise<unknown> | undefined {
    const answered = this.asker?.hearsOwnPrompts ? this.#answered.promise : undefined;
    return this.#messagesAnswered ? Promise.all([answered, this.#messagesAnswered]) : answered;
  }

  markInserted(): void {
    const mark = (): void => {
      if (!(this.signal.reason instanceof LogFailedError)) this.#inserted.resolve();
      // The answer goes out in the jobs that this begins.
      setTimeout(() => this.#answered.resolve(), 0);
    };
    const shown = this.session.whenShown();
    if (shown) void shown.then(mark);
    else mark();
  }

  get messages(): readonly UserMessage[] {
    return this.isOver || this.signal.aborted ? [] : this.session.turns.messagesFor(this);
  }

  takeMessages(): readonly UserMessage[] {
    if (this.isOver || this.signal.aborted || !this.session.definition.isSteerable) return [];
    const messages = this.session.turns.takeMessages(this);
    if (messages.length === 0) return messages;
    this.#message = undefined;
    // As for the prompt: whoever sent one hears that it was taken before the turn ends.
    const shown = this.session.whenShown() ?? Promise.resolve();
    this.#messagesAnswered = shown.then(() => new Promise((resolve) => setTimeout(resolve, 0)));
    return messages;
  }

  onMessage(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tellMessage(): void {
    for (const listener of this.#listeners) listener();
  }

  get text(): string {
    return textOfContent(this.content);
  }

  get command(): InvokedCommand | undefined {
    return readCommand(this.content, this.session.commands);
  }

  update(event: SessionEvent): void | Promise<void> {
    if (this.isOver) return this.#report('turn_over', `Dropped an update (${event.type}): its turn is over.`);
    if (event.type !== this.#message?.type) this.#message = undefined;
    return this.session.update(event);
  }

  say(content: string | ContentBlock): void | Promise<void> {
    const messageId = this.#messageId('message_chunk');
    return this.update({ type: 'message_chunk', speaker: 'agent', messageId, content: toContent(content) });
  }

  think(content: string | ContentBlock): void | Promise<void> {
    const messageId = this.#messageId('thought_chunk');
    return this.update({ type: 'thought_chunk', messageId, content: toContent(content) });
  }

  toolCall(call: NewToolCall): ToolCallHandle {
    const open = new OpenToolCall(
      {
        id: call.id ?? this.#newId('call'),
        cwd: this.session.cwd,
        signal: this.signal,
        emit: (event) => void this.update(event),
        onFinal: (final) => this.#parts.removeCall(final),
        onLateChange: ({ id }) => this.#report('tool_call_final', `Dropped a change of tool call ${id}: it has ended.`),
      },
      describeToolCall(call, call.name === undefined ? undefined : this.session.definition.tools.get(call.name)),
    );
    if (!this.isOver) this.#parts.addCall(open);
    return open;
  }

  showTerminal(terminal: NewShownTerminal): ShownTerminal {
    const open = new OpenShownTerminal(
      {
        id: this.#newId('terminal'),
        cwd: this.session.cwd,
        signal: this.signal,
        emit: (event) => this.update(event),
        onExit: (ended) => this.#parts.removeTerminal(ended),
      },
      terminal,
    );
    if (!this.isOver) this.#parts.addTerminal(open);
    return open;
  }

  cancelPart(part: CancellablePart): boolean {
    return this.#parts.cancel(part);
  }

  seePlan(plan: PlanEvent): void {
    this.#plan = plan;
  }

  plan(entries: readonly PlanEntry[]): void | Promise<void> {
    return this.update({ type: 'plan', entries });
  }

  commands(commands: readonly AvailableCommand[]): void {
    void this.update({ type: 'commands', commands });
  }

  mode(modeId: string): void {
    this.session.setMode(modeId);
  }

  option(optionId: string, value: OptionValue): void {
    this.session.setOption(optionId, value);
  }

  usage(usage: Omit<UsageEvent, 'type'>): void | Promise<void> {
    return this.update({ ...usage, type: 'usage' });
  }

  addTokens(tokens: TokenCount): void {
    this.#tokens = addTokens(this.#tokens, tokens);
  }

  /** What the turn has used so far, if it tells. */
  get tokens(): TokenCount | undefined {
    return this.#tokens;
  }

  title(title: string | null): void {
    this.session.setTitle(title);
  }

  notice(notice: Omit<NoticeEvent, 'type'>): void | Promise<void> {
    return this.update({ ...notice, type: 'notice' });
  }

  compaction(): Compaction {
    if (this.#compaction && !this.#compaction.isFinal) return this.#compaction;
    this.#compaction = new OpenCompaction(this.#newId('compaction'), (event) => void this.update(event));
    return this.#compaction;
  }

  askPermission(call: ToolCallHandle, options: AskPermissionOptions = {}): Promise<PermissionDecision> {
    return unawaited(askPermission(this, call, options));
  }

  /** The client no longer wants this turn; it ends as soon as its handler heeds the signal. A turn that was aborted keeps its reason. */
  cancel(): void {
    if (this.#isCancelled || this.isOver || this.#controller.signal.aborted) return;
    this.#isCancelled = true;
    this.#controller.abort(new TurnAbortError('turn_cancelled', 'The turn was cancelled by the client.'));
  }

  /** The turn cannot go on, whatever its handler does. */
  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  /**
   * Leaves nothing behind: no open tool call, no plan in progress, no terminal, no unanswered question to the client.
   * `hasSucceeded` when the agent came to the end of what it was asked for.
   */
  end(hasSucceeded: boolean): void {
    if (this.isOver) return;
    const plan = this.#plan && planAtEnd(this.#plan, hasSucceeded && !this.#isCancelled);
    if (plan) void this.update(plan);
    this.#parts.end(this.#isCancelled, ({ id }) => {
      const message = `Tool call ${id} was still open when its turn ended; it is marked as failed.`;
      this.#report('tool_call_left_open', message);
    });
    if (this.#isCancelled) this.#compaction?.cancel();
    else this.#compaction?.fail('The turn ended before the conversation was shortened.');
    this.isOver = true;
    void this.client.releaseTerminals();
    this.#controller.abort(new TurnAbortError('turn_ended', 'The turn has ended.'));
  }

  async #askForm(question: NewFormQuestion, signal: AbortSignal): Promise<ElicitationAnswer> {
    const asked = { ...question, questionId: crypto.randomUUID() };
    const { type: _, ...answer } = (await this.session.questions.ask(asked, { turnId: this.id, signal })) as FormAnswer;
    return answer;
  }

  #messageId(type: 'message_chunk' | 'thought_chunk'): string {
    if (this.#message?.type !== type) this.#message = { type, id: this.#newId('message') };
    return this.#message.id;
  }

  #newId(what: string): string {
    return `${what}-${this.id}-${++this.#lastId}`;
  }

  #report(kind: AgentDiagnosticKind, message: string): void {
    this.session.report({ kind, message });
  }
}
