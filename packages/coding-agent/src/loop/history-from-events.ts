import type { ContentBlock, PlanEntry, SessionEvent, ToolCallEvent } from '@parley/protocol';
import type { AssistantPart, History, HistoryMessage, ToolCallPart, ToolResult } from '../models/history.ts';
import { planResult } from '../tools/update-plan.ts';
import { partsOfContent } from './content-parts.ts';
import { isAside, messageIdOfPrompt, readAnswerNumber } from './log-marks.ts';
import { type PromptPlace, partsOfPrompt } from './prompt-parts.ts';

export interface HistoryOptions extends PromptPlace {
  /** What the model was asked when the person wrote this; undefined when it was not asked, as for `/help`. */
  readonly readPrompt: (content: readonly ContentBlock[]) => readonly ContentBlock[] | undefined;
  /** The turn that is running: what the log has of it is not history yet. */
  readonly turnId?: string;
}

/**
 * The model's history, read back from a session's log: what a resumed session goes on from. Thoughts are left out, since
 * providers take back only the signed originals; a finished compaction stands for everything before it.
 */
export async function historyFromEvents(
  events: AsyncIterable<SessionEvent>,
  options: HistoryOptions,
): Promise<History> {
  const reader = new HistoryReader(options);
  const current = options.turnId === undefined ? undefined : messageIdOfPrompt(options.turnId);
  for await (const event of events) {
    if (event.type === 'message_chunk' && current !== undefined && event.messageId === current) break;
    reader.read(event);
  }
  return reader.finish();
}

/** How a summary is introduced to the model that goes on from it. */
export function summaryMessage(summary: string): HistoryMessage {
  const text = `The conversation so far was shortened. This is a summary of it:\n\n${summary}`;
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** One call as it is put together; the number of the answer it belongs to tells answers without words apart. */
interface OpenCall {
  part: ToolCallPart;
  result: ToolResult;
  readonly event: ToolCallEvent;
}

class HistoryReader {
  readonly #options: HistoryOptions;
  #messages: HistoryMessage[] = [];
  #said: AssistantPart[] = [];
  #calls = new Map<string, OpenCall>();
  #answer: number | undefined;
  #prompt: { readonly id: string | undefined; readonly blocks: ContentBlock[] } | undefined;
  /** In a turn that the model knows nothing of. */
  #isLocal = false;
  #summary = '';

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  read(event: SessionEvent): void {
    switch (event.type) {
      case 'message_chunk':
        if (event.speaker === 'user') return this.#hear(event.content, event.messageId);
        return isAside(event) ? undefined : this.#say(event.content);
      case 'tool_call':
        return this.#call(event);
      case 'plan':
        return this.#plan(event.entries, readAnswerNumber(event));
      case 'compaction_chunk':
        this.#summary += event.content.type === 'text' ? event.content.text : '';
        return;
      case 'compaction':
        if (event.status === 'completed') this.#restart(textOfBlocks(event.summary ?? []) || this.#summary);
        this.#summary = '';
        return;
    }
  }

  finish(): History {
    this.#closeAnswer();
    this.#closePrompt();
    return this.#messages;
  }

  #hear(content: ContentBlock, id: string | undefined): void {
    this.#closeAnswer();
    if (this.#prompt && this.#prompt.id !== id) this.#closePrompt();
    this.#prompt ??= { id, blocks: [] };
    this.#prompt.blocks.push(content);
    this.#isLocal = false;
  }

  #say(content: ContentBlock): void {
    this.#closePrompt();
    if (this.#isLocal || content.type !== 'text') return;
    if (this.#calls.size > 0) this.#closeAnswer();
    const last = this.#said.at(-1);
    if (last?.type === 'text') this.#said[this.#said.length - 1] = { type: 'text', text: last.text + content.text };
    else this.#said.push({ type: 'text', text: content.text });
  }

  #call(event: ToolCallEvent): void {
    this.#closePrompt();
    const open = this.#calls.get(event.toolCallId);
    // Calls without a name are shown to the person only.
    if (this.#isLocal || (!open && event.name === undefined)) return;
    if (!open) this.#begin(readAnswerNumber(event));
    const whole = { ...open?.event, ...event };
    this.#calls.set(event.toolCallId, { event: whole, part: toCallPart(whole), result: toResult(whole) });
  }

  /** A plan is shown as itself, not as a call; the model made it by one all the same. */
  #plan(entries: readonly PlanEntry[], answer: number | undefined): void {
    this.#closePrompt();
    if (this.#isLocal || answer === undefined) return;
    this.#begin(answer);
    const toolCallId = `plan-${this.#messages.length}-${this.#calls.size}`;
    const event: ToolCallEvent = { type: 'tool_call', toolCallId, name: 'update_plan', status: 'completed' };
    const text = planResult(entries);
    this.#calls.set(toolCallId, {
      event,
      part: { type: 'tool_call', id: toolCallId, name: 'update_plan', input: { entries } },
      result: { toolCallId, toolName: 'update_plan', content: [{ type: 'text', text }], isError: false },
    });
  }

  #begin(answer: number | undefined): void {
    if (this.#calls.size > 0 && answer !== this.#answer) this.#closeAnswer();
    this.#answer = answer;
  }

  /** An answer is what was said and called until somebody speaks again, or the next answer calls. */
  #closeAnswer(): void {
    const calls = [...this.#calls.values()];
    const content: AssistantPart[] = [...this.#said, ...calls.map(({ part }) => part)];
    if (content.length > 0) this.#messages.push({ role: 'assistant', content });
    if (calls.length > 0) this.#messages.push({ role: 'tool', results: calls.map(({ result }) => result) });
    this.#said = [];
    this.#calls = new Map();
  }

  #closePrompt(): void {
    if (!this.#prompt) return;
    const asked = this.#options.readPrompt(this.#prompt.blocks);
    this.#isLocal = asked === undefined;
    if (asked) this.#messages.push({ role: 'user', content: partsOfPrompt(asked, this.#options) });
    this.#prompt = undefined;
  }

  /** The summary takes the place of everything, except of a prompt that nothing was said to yet. No summary: all is forgotten. */
  #restart(summary: string): void {
    const prompt = this.#said.length === 0 && this.#calls.size === 0 ? this.#unanswered() : undefined;
    this.#said = [];
    this.#calls = new Map();
    this.#messages = summary === '' ? [] : [summaryMessage(summary), ...(prompt ? [prompt] : [])];
  }

  #unanswered(): HistoryMessage | undefined {
    this.#closePrompt();
    const last = this.#messages.at(-1);
    return last?.role === 'user' ? last : undefined;
  }
}

function toCallPart({ toolCallId, name = '', rawInput }: ToolCallEvent): ToolCallPart {
  const input = typeof rawInput === 'object' && rawInput !== null ? (rawInput as Record<string, unknown>) : {};
  return { type: 'tool_call', id: toolCallId, name, input };
}

function toResult({ toolCallId, name = '', status, content = [], rawOutput }: ToolCallEvent): ToolResult {
  const parts = content.flatMap((each) => (each.type === 'content' ? partsOfContent(each.content) : []));
  const isDone = status === 'completed' || status === 'failed';
  return {
    toolCallId,
    toolName: name,
    content:
      isDone && parts.length > 0 ? parts : [{ type: 'text', text: isDone ? textOfOutput(rawOutput) : INTERRUPTED }],
    isError: status !== 'completed',
  };
}

const INTERRUPTED = 'The call was interrupted before it finished; its effect is unknown.';

/** A command that ran in the client's terminal shows no text of its own; what the model read is kept raw. */
function textOfOutput(rawOutput: unknown): string {
  const { text } = (rawOutput ?? {}) as { text?: unknown };
  return typeof text === 'string' ? text : 'Done.';
}

function textOfBlocks(blocks: readonly ContentBlock[]): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
