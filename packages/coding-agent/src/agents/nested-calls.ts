import type { ToolCallChanges, ToolCallHandle, Turn } from '@parley/agent';
import { tailOf } from '@parley/models/model';
import type { QuestionedToolCall, ToolCallContent, ToolCallEntry, Transcript } from '@parley/session';
import { getTerminal } from '@parley/session/transcript';
import { nestedMark } from '../turn/nested-mark.ts';

/** Of each text that a call of another agent shows; the log keeps it with every change of the call. */
const MAX_TEXT_CHARACTERS = 4000;
/** Larger arguments are not shown. */
const MAX_INPUT_CHARACTERS = 20_000;

export interface NestedCallsOptions {
  readonly turn: Turn;
  /** The call of ours under which they are shown. */
  readonly parentId: string | undefined;
  /** Who makes them. */
  readonly agent: string;
  /** The other agent's conversation as it stands. */
  readonly transcript: () => Transcript;
}

type Changes = Pick<ToolCallEntry, 'title'> &
  Partial<Pick<ToolCallEntry, 'kind' | 'content' | 'locations' | 'rawInput'>>;

/** The tool calls of another agent, shown below the call of ours that set it to work. The model does not hear of them. */
export class NestedCalls {
  readonly #options: NestedCallsOptions;
  readonly #shown = new Map<string, ToolCallHandle>();

  constructor(options: NestedCallsOptions) {
    this.#options = options;
  }

  /** Shows where a call stands. What it shows meanwhile comes with the next change of its status. */
  show(call: ToolCallEntry): void {
    const shown = this.#shown.get(call.toolCallId);
    if (!shown) {
      advance(this.#begin(call), call.status, {});
      return;
    }
    if (shown.isFinal || shown.status === call.status) return;
    advance(shown, call.status, this.#changesOf(call));
  }

  /** The call that a question is about, shown as it is then, and in the words of the question. */
  questioned(call: QuestionedToolCall): { readonly shown: ToolCallHandle; readonly toolCall: QuestionedToolCall } {
    const known = this.#shown.get(call.toolCallId);
    const shown = known && !known.isFinal ? known : this.#begin(call);
    const changes = this.#changesOf(call);
    if (shown === known) shown.update(changes);
    return { shown, toolCall: { ...changes, toolCallId: shown.id } };
  }

  /** Nothing stays open that nobody works at any more. */
  close(): void {
    for (const shown of this.#shown.values()) if (!shown.isFinal) shown.cancel();
  }

  #begin(call: QuestionedToolCall | ToolCallEntry): ToolCallHandle {
    const { turn, parentId } = this.#options;
    const shown = turn.toolCall({
      ...this.#changesOf(call),
      ...(parentId !== undefined && { meta: nestedMark(parentId) }),
    });
    this.#shown.set(call.toolCallId, shown);
    return shown;
  }

  /** Without the tool's name: calls with one are calls of our model. */
  #changesOf(call: QuestionedToolCall | ToolCallEntry): Changes {
    const { title, kind, content, locations, rawInput } = call;
    return {
      title: `${this.#options.agent}: ${title ?? 'a tool call'}`,
      ...(kind != null && { kind }),
      ...(content && { content: content.flatMap((part) => this.#contentOf(part)) }),
      ...(locations && { locations }),
      ...(isSmall(rawInput) && { rawInput }),
    };
  }

  /** Its terminals are none of our client's, so that their output is shown as text. */
  #contentOf(part: ToolCallContent): readonly ToolCallContent[] {
    if (part.type === 'terminal') {
      const output = getTerminal(this.#options.transcript(), part.terminalId)?.output ?? '';
      return output === '' ? [] : [textContent(output)];
    }
    if (part.type !== 'content' || part.content.type !== 'text') return [part];
    return [textContent(part.content.text)];
  }
}

function advance(shown: ToolCallHandle, status: ToolCallEntry['status'], changes: ToolCallChanges): void {
  if (status === 'in_progress') shown.start(changes);
  else if (status === 'completed') shown.complete(changes);
  else if (status === 'failed') shown.fail(changes);
  else if (status === 'cancelled') shown.cancel(changes);
}

function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text: tailOf(text, MAX_TEXT_CHARACTERS) } };
}

function isSmall(value: unknown): boolean {
  return value !== undefined && (JSON.stringify(value)?.length ?? 0) <= MAX_INPUT_CHARACTERS;
}
