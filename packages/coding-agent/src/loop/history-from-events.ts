import type { ContentBlock, SessionEvent, ToolCallEvent } from '@parley/protocol';
import type {
  AssistantPart,
  ContentPart,
  History,
  HistoryMessage,
  ToolCallPart,
  ToolResult,
} from '../models/history.ts';
import { partsOfContent } from './content-parts.ts';

/**
 * The model's history, read back from a session's log: what a resumed session goes on from. Thoughts are left out, since
 * providers take back only the signed originals; a finished compaction stands for everything before it.
 */
export async function historyFromEvents(events: AsyncIterable<SessionEvent>): Promise<History> {
  const reader = new HistoryReader();
  for await (const event of events) reader.read(event);
  return reader.finish();
}

/** How a summary is introduced to the model that goes on from it. */
export function summaryMessage(summary: string): HistoryMessage {
  const text = `The conversation so far was shortened. This is a summary of it:\n\n${summary}`;
  return { role: 'user', content: [{ type: 'text', text }] };
}

class HistoryReader {
  #messages: HistoryMessage[] = [];
  #said: AssistantPart[] = [];
  #calls = new Map<string, OpenCall>();
  #userParts: ContentPart[] = [];
  #summary = '';

  read(event: SessionEvent): void {
    switch (event.type) {
      case 'message_chunk':
        return event.speaker === 'user' ? this.#hear(event.content) : this.#say(event.content);
      case 'tool_call':
        return this.#call(event);
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

  #hear(content: ContentBlock): void {
    this.#closeAnswer();
    this.#userParts.push(...partsOfContent(content));
  }

  #say(content: ContentBlock): void {
    this.#closePrompt();
    if (this.#calls.size > 0) this.#closeAnswer();
    if (content.type !== 'text') return;
    const last = this.#said.at(-1);
    if (last?.type === 'text') this.#said[this.#said.length - 1] = { type: 'text', text: last.text + content.text };
    else this.#said.push({ type: 'text', text: content.text });
  }

  #call(event: ToolCallEvent): void {
    this.#closePrompt();
    const open = this.#calls.get(event.toolCallId) ?? { event };
    open.event = { ...open.event, ...event };
    this.#calls.set(event.toolCallId, open);
  }

  /** An answer is what was said and called until somebody speaks again. */
  #closeAnswer(): void {
    const calls = [...this.#calls.values()].map(({ event }) => event).filter(({ name }) => name !== undefined);
    const content: AssistantPart[] = [...this.#said, ...calls.map(toCallPart)];
    if (content.length > 0) this.#messages.push({ role: 'assistant', content });
    if (calls.length > 0) this.#messages.push({ role: 'tool', results: calls.map(toResult) });
    this.#said = [];
    this.#calls = new Map();
  }

  #closePrompt(): void {
    if (this.#userParts.length > 0) this.#messages.push({ role: 'user', content: this.#userParts });
    this.#userParts = [];
  }

  #restart(summary: string): void {
    if (summary === '') return;
    this.#said = [];
    this.#calls = new Map();
    this.#messages = [summaryMessage(summary)];
  }
}

interface OpenCall {
  event: ToolCallEvent;
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

/** A command that ran in the client's terminal shows no text of its own; its output is kept raw. */
function textOfOutput(rawOutput: unknown): string {
  const { output } = (rawOutput ?? {}) as { output?: unknown };
  return typeof output === 'string' ? output : 'Done.';
}

function textOfBlocks(blocks: readonly ContentBlock[]): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
