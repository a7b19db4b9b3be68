import type { SessionUpdate } from '@parley/protocol';
import {
  eventToV1,
  type SessionEvent,
  type ToolCallChunk,
  type ToolCallContent,
  type ToolCallEvent,
  type WholeMessage,
  type WholeThought,
} from '@parley/session';
import { updateOf } from '../../log/own-event.ts';
import { ShownTerminals } from './shown-terminals.ts';

/** Messages that are remembered, in case that they are replaced: the latest. */
const MAX_TOLD_MESSAGES = 1000;

/**
 * What a client of version 1 was told of one session, as far as later updates depend on it: version 1 announces a tool call before it
 * changes it, replaces the content of a tool call as a whole, and cannot replace a message.
 */
export class ToldSession {
  readonly terminals: ShownTerminals;
  /** The client may know of calls that were announced on an earlier connection. */
  readonly #isResumed: boolean;
  readonly #announced = new Set<string>();
  /** What the tool calls show that have not ended. */
  readonly #contents = new Map<string, readonly ToolCallContent[]>();
  /** Messages, by the ids under which their latest text was told. */
  readonly #messages = new Map<string, { readonly messageId: string; readonly replacements: number }>();

  constructor({ readsTerminals, isResumed }: { readonly readsTerminals: boolean; readonly isResumed: boolean }) {
    this.terminals = new ShownTerminals(readsTerminals);
    this.#isResumed = isResumed;
  }

  toolCall(event: ToolCallEvent): SessionUpdate[] {
    this.#keepContent(event);
    if (this.terminals.isEmpty) return this.#write(event);
    const { event: shown, after } = this.terminals.inCall(event);
    return [...this.#write(shown), ...after];
  }

  toolCallChunk({ toolCallId, content, meta }: ToolCallChunk): SessionUpdate[] {
    const whole = [...(this.#contents.get(toolCallId) ?? []), content];
    return this.toolCall({ type: 'tool_call', toolCallId, content: whole, ...(meta !== undefined && { meta }) });
  }

  /** The id under which a piece of a message is told. */
  messageId(messageId: string): string {
    const told = this.#messages.get(messageId);
    if (told) return told.messageId;
    this.#remember(messageId, { messageId, replacements: 0 });
    return messageId;
  }

  /** A message that was told before cannot be replaced, so what it is now is told as another one. */
  whole(event: WholeMessage | WholeThought): SessionUpdate[] {
    const { messageId, content = [] } = event;
    const before = this.#messages.get(messageId);
    const replacements = before ? before.replacements + 1 : 0;
    const told = { messageId: before ? `${messageId}-${replacements}` : messageId, replacements };
    if (content.length > 0) this.#remember(messageId, told);
    return content.flatMap((block) => {
      const facts = { messageId: told.messageId, content: block };
      const chunk: SessionEvent =
        event.type === 'whole_message'
          ? { type: 'message_chunk', speaker: event.speaker, ...facts }
          : { type: 'thought_chunk', ...facts };
      return eventToV1(chunk, false) ?? [];
    });
  }

  #write(event: ToolCallEvent): SessionUpdate[] {
    const update = this.#isNew(event) ? eventToV1(event, true) : updateOf(event);
    return update ? [update] : [];
  }

  #isNew({ toolCallId, title }: ToolCallEvent): boolean {
    if (this.#announced.has(toolCallId)) return false;
    this.#announced.add(toolCallId);
    // A call begins with its title; without one this goes on with a call that the client knows from before it was cut off.
    return title !== undefined || !this.#isResumed;
  }

  #keepContent({ toolCallId, content, status }: ToolCallEvent): void {
    if (status === 'completed' || status === 'failed' || status === 'cancelled') this.#contents.delete(toolCallId);
    else if (content) this.#contents.set(toolCallId, content);
  }

  #remember(messageId: string, told: { readonly messageId: string; readonly replacements: number }): void {
    this.#messages.set(messageId, told);
    if (this.#messages.size <= MAX_TOLD_MESSAGES) return;
    const [oldest] = this.#messages.keys();
    if (oldest !== undefined) this.#messages.delete(oldest);
  }
}
