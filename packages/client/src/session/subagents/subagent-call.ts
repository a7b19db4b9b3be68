import { textOfContent } from '@parley/protocol';
import {
  META,
  type SessionEvent,
  type SessionMessageEvent,
  type SubagentEvent,
  type ToolCallEvent,
} from '@parley/session';

/** Messages of a sub-agent that its call shows; older ones are left out. */
const MAX_MESSAGES = 20;

type CallFields = Partial<Pick<ToolCallEvent, 'kind' | 'title' | 'status' | 'rawInput' | 'content'>>;

/**
 * A sub-agent with a session of its own as one tool call of its root session: the call has the id of the sub-agent's session, and the
 * calls of the sub-agent are nested below it. Views, logs and clients need no further support for sub-agents.
 */
export class SubagentCall {
  readonly #sessionId: string;
  readonly #meta: Readonly<Record<string, unknown>>;
  readonly #calls = new Set<string>();
  #title: string | undefined;
  #description: string | undefined;
  #prompt: string | undefined;
  #status: ToolCallEvent['status'];
  #messages: readonly string[] = [];
  /** The message that is still streaming. */
  #open: { readonly messageId: string | undefined; text: string } | undefined;
  /** Fields of the call that changed since the last event. */
  #news: CallFields = { kind: 'think', title: this.title };

  /** `parentCallId` is the call of the sub-agent that started this one. */
  constructor(sessionId: string, parentCallId: string | undefined) {
    this.#sessionId = sessionId;
    this.#meta = {
      [META.subagent]: sessionId,
      ...(parentCallId !== undefined && { claudeCode: { parentToolUseId: parentCallId } }),
    };
  }

  get title(): string {
    return this.#title ?? this.#description ?? 'Sub-agent';
  }

  /** Applies a `subagent_update` of the parent. */
  update({ title, description, state }: Pick<SubagentEvent, 'title' | 'description' | 'state'>): SessionEvent[] {
    const before = this.title;
    if (title !== undefined) this.#title = title ?? undefined;
    if (description !== undefined) this.#description = description ?? undefined;
    if (this.title !== before) this.#news = { ...this.#news, title: this.title };
    const status = state && statusOf(state);
    if (status && status !== 'in_progress') this.#endMessage();
    if (status) this.#setStatus(status);
    return this.#takeNews();
  }

  /** Applies a message between the parent and the sub-agent. */
  message({ recipientSessionId, content }: SessionMessageEvent): SessionEvent[] {
    const text = textOfContent(content);
    if (recipientSessionId === this.#sessionId) {
      // The agent sends it in both sessions.
      if (text !== this.#prompt) this.#news = { ...this.#news, rawInput: { prompt: text } };
      this.#prompt = text;
      return this.#takeNews();
    }
    this.#endMessage();
    // The report repeats the last message, if there was one.
    if (this.#messages.length === 0) this.#addMessage(text);
    return this.#takeNews();
  }

  /** Converts an event of the sub-agent's session into events of the root. Settings and states of the sub-agent stay its own. */
  nest(event: SessionEvent): SessionEvent[] {
    switch (event.type) {
      case 'message_chunk':
        if (event.speaker !== 'agent') return [];
        return this.#say(event.messageId, event.content.type === 'text' ? event.content.text : '');
      case 'whole_message':
        if (event.speaker !== 'agent' || !event.content) return [];
        if (this.#open?.messageId === event.messageId) this.#open = undefined;
        return this.#say(event.messageId, textOfContent(event.content));
      case 'tool_call':
        if (!this.#calls.has(event.toolCallId)) this.#endMessage();
        this.#calls.add(event.toolCallId);
        this.#begin();
        return [...this.#takeNews(), { ...event, meta: this.nestedMeta(event.meta) }];
      case 'tool_call_chunk':
      case 'terminal':
      case 'terminal_output':
      case 'notice':
        return [{ ...event, meta: { ...event.meta, [META.subagent]: this.#sessionId } }];
      case 'state':
        return this.update({ state: { state: event.state, stopReason: event.stopReason } });
      default:
        return [];
    }
  }

  /** `_meta` of a nested call, in the convention of claude-agent-acp that other clients read too. */
  nestedMeta(meta: ToolCallEvent['meta']): Record<string, unknown> {
    const vendor = meta?.claudeCode;
    const others = typeof vendor === 'object' && vendor !== null ? vendor : {};
    return { ...meta, [META.subagent]: this.#sessionId, claudeCode: { ...others, parentToolUseId: this.#sessionId } };
  }

  #say(messageId: string | undefined, text: string): SessionEvent[] {
    if (this.#open && this.#open.messageId !== messageId) this.#endMessage();
    this.#open ??= { messageId, text: '' };
    this.#open.text += text;
    this.#begin();
    return this.#takeNews();
  }

  #endMessage(): void {
    const text = this.#open?.text ?? '';
    this.#open = undefined;
    this.#addMessage(text);
  }

  #addMessage(text: string): void {
    if (text.trim() === '') return;
    this.#messages = [...this.#messages, text].slice(-MAX_MESSAGES);
    const content = this.#messages.map((each) => ({ type: 'content', content: { type: 'text', text: each } }) as const);
    this.#news = { ...this.#news, content };
  }

  /** A sub-agent that sends messages or calls runs, whether or not the agent reports its state. */
  #begin(): void {
    if (this.#status === undefined) this.#setStatus('in_progress');
  }

  #setStatus(status: NonNullable<ToolCallEvent['status']>): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#news = { ...this.#news, status };
  }

  /** Emits no call for a sub-agent that was announced and has not run. */
  #takeNews(): SessionEvent[] {
    if (this.#status === undefined || Object.keys(this.#news).length === 0) return [];
    const news = this.#news;
    this.#news = {};
    return [{ type: 'tool_call', toolCallId: this.#sessionId, ...news, meta: this.#meta }];
  }
}

/** Undefined for an unknown state. */
function statusOf({ state, stopReason }: NonNullable<SubagentEvent['state']>): ToolCallEvent['status'] {
  if (state === 'running' || state === 'requires_action') return 'in_progress';
  if (state !== 'idle') return undefined;
  if (stopReason === 'cancelled') return 'cancelled';
  return stopReason === 'error' ? 'failed' : 'completed';
}
