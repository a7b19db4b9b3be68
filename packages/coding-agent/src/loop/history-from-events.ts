import type { AssistantPart, History, HistoryMessage, ToolCallPart, ToolResult } from '@parley/models/model';
import { withNote } from '@parley/models/model';
import type { ContentBlock } from '@parley/protocol';
import type { PlanEntry } from '@parley/session';
import { type InfoEvent, isSteered, promptMessageId, type SessionEvent, type ToolCallEvent } from '@parley/session';
import { planResult } from '../tools/conversation/update-plan.ts';
import { repairRefused } from './abridge.ts';
import {
  type AnswerPart,
  isDropped,
  isForPersonOnly,
  readAnswerNumber,
  readAnswerParts,
  readAsked,
  readCallId,
  readRepair,
  readSituation,
  readUnshown,
  type UnshownCall,
} from './log-marks.ts';
import { type PromptPlace, partsOfPrompt } from './prompt-parts.ts';
import { toCallPart, toResult, unshownResult } from './recorded-calls.ts';
import { recordedParts } from './recorded-parts.ts';
import { shortenHistory } from './shorten-history.ts';

export interface HistoryOptions extends PromptPlace {
  /** What the model was asked when the person wrote this; undefined when it was not asked, as for `/help`. */
  readonly expandPrompt: (content: readonly ContentBlock[]) => readonly ContentBlock[] | undefined;
  /** The turn that is running: what the log has of it is not history yet. */
  readonly turnId?: string;
}

/**
 * The model's history, read back from a session's log: what a resumed session goes on from. Each answer is put together
 * as its record says, signed thoughts and the provider's own ids included; logs without records give words and calls
 * only. A finished compaction stands for everything before it.
 */
export async function historyFromEvents(
  events: AsyncIterable<SessionEvent>,
  options: HistoryOptions,
): Promise<History> {
  const reader = new HistoryReader(options);
  const current = options.turnId === undefined ? undefined : promptMessageId(options.turnId);
  for await (const event of events) {
    if (event.type === 'message_chunk' && current !== undefined && event.messageId === current) break;
    reader.read(event);
  }
  return reader.finish();
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
  #thought = '';
  #calls = new Map<string, OpenCall>();
  /** How the answer was put together; from then on its calls are awaited. */
  #record: readonly AnswerPart[] | undefined;
  #unshown = new Map<string, UnshownCall>();
  #answer: number | undefined;
  /** The last answer of the turn that has a record. */
  #recordedAnswer = 0;
  #prompt:
    | { readonly id: string | undefined; readonly blocks: ContentBlock[]; readonly isSteered: boolean }
    | undefined;
  /** In a turn that the model knows nothing of. */
  #isLocal = false;
  #summary = '';

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  read(event: SessionEvent): void {
    switch (event.type) {
      case 'message_chunk':
        if (event.speaker === 'user') return this.#hear(event.content, event.messageId, isSteered(event));
        return isForPersonOnly(event) ? undefined : this.#say(event.content);
      case 'thought_chunk':
        return isForPersonOnly(event) ? undefined : this.#think(event.content);
      case 'info':
        return this.#note(event);
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

  /** What was said into a turn belongs to it, and is no command. */
  #hear(content: ContentBlock, id: string | undefined, isSteered: boolean): void {
    this.#closeAnswer();
    if (this.#prompt && this.#prompt.id !== id) this.#closePrompt();
    if (!this.#prompt && !isSteered) this.#recordedAnswer = 0;
    this.#prompt ??= { id, blocks: [], isSteered };
    this.#prompt.blocks.push(content);
    this.#isLocal = false;
  }

  #say(content: ContentBlock): void {
    this.#closePrompt();
    if (this.#isLocal || content.type !== 'text') return;
    this.#closeRecorded();
    const last = this.#said.at(-1);
    if (last?.type === 'text') this.#said[this.#said.length - 1] = { type: 'text', text: last.text + content.text };
    else this.#said.push({ type: 'text', text: content.text });
  }

  #think(content: ContentBlock): void {
    this.#closePrompt();
    if (this.#isLocal || content.type !== 'text') return;
    this.#closeRecorded();
    this.#thought += content.text;
  }

  /** What the agent wrote down beside the conversation. */
  #note(event: InfoEvent): void {
    if (isDropped(event)) return this.#drop();
    const asked = readAsked(event);
    if (asked) {
      this.#prompt = undefined;
      this.#isLocal = false;
      this.#messages.push({ role: 'user', content: partsOfPrompt(asked, this.#options) });
      return;
    }
    const [parts, situation, repair] = [readAnswerParts(event), readSituation(event), readRepair(event)];
    for (const call of readUnshown(event)) this.#unshown.set(call.id, call);
    if (parts === undefined && situation === undefined && repair === undefined) return;
    this.#closePrompt();
    if (parts !== undefined) {
      this.#closeRecorded();
      this.#record = parts;
      this.#answer = readAnswerNumber(event);
      this.#recordedAnswer = this.#answer ?? 0;
      return;
    }
    this.#closeAnswer();
    if (situation !== undefined) this.#messages = [...withNote(this.#messages, situation)];
    if (repair !== undefined) this.#messages = [...repairRefused(this.#messages, repair)];
  }

  /** An answer that is whole, whose calls are awaited, stays. */
  #drop(): void {
    this.#closePrompt();
    if (this.#calls.size > 0 || this.#record !== undefined) return;
    this.#said = [];
    this.#thought = '';
  }

  /** More is said after an answer was complete or its calls began: that is the next answer. */
  #closeRecorded(): void {
    if (this.#calls.size > 0 || this.#record !== undefined) this.#closeAnswer();
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
    // Where there is a record, it tells of this call as of all others. At the end of a turn its plan is told once more.
    if (this.#isLocal || answer === undefined || answer <= this.#recordedAnswer) return;
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
    const calls = this.#record ? this.#recordedCalls(this.#record) : [...this.#calls.values()];
    const content: AssistantPart[] = this.#record
      ? recordedParts(this.#record, {
          text: this.#said.map((part) => (part.type === 'text' ? part.text : '')).join(''),
          thought: this.#thought,
          calls: calls.map(({ part }) => part),
        })
      : [...this.#said, ...calls.map(({ part }) => part)];
    if (content.length > 0) this.#messages.push({ role: 'assistant', content });
    if (calls.length > 0) this.#messages.push({ role: 'tool', results: calls.map(({ result }) => result) });
    this.#forgetAnswer();
  }

  #forgetAnswer(): void {
    this.#said = [];
    this.#thought = '';
    this.#calls = new Map();
    this.#record = undefined;
    this.#unshown = new Map();
  }

  /** The calls of an answer under the provider's ids; one that left no trace in the log was interrupted. */
  #recordedCalls(record: readonly AnswerPart[]): readonly Pick<OpenCall, 'part' | 'result'>[] {
    const shown = new Map([...this.#calls.values()].map((call) => [readCallId(call.event), call]));
    return record.flatMap((part): readonly Pick<OpenCall, 'part' | 'result'>[] => {
      if (part.type !== 'tool_call') return [];
      const { id, name, signature } = part;
      const { event } = shown.get(id) ?? {};
      const unshown = this.#unshown.get(id);
      const input = event ? toCallPart(event).input : (unshown?.input ?? {});
      const result = event ? toResult(event) : unshownResult(unshown);
      return [
        {
          part: { type: 'tool_call', id, name, input, ...(signature && { signature }) },
          result: { ...result, toolCallId: id, toolName: name },
        },
      ];
    });
  }

  #closePrompt(): void {
    if (!this.#prompt) return;
    const { blocks, isSteered } = this.#prompt;
    const asked = isSteered ? blocks : this.#options.expandPrompt(blocks);
    this.#isLocal = asked === undefined;
    if (asked) this.#messages.push({ role: 'user', content: partsOfPrompt(asked, this.#options) });
    this.#prompt = undefined;
  }

  /** The summary and little else takes the place of everything. No summary: all is forgotten. */
  #restart(summary: string): void {
    this.#closeAnswer();
    this.#closePrompt();
    this.#messages = summary === '' ? [] : [...shortenHistory(this.#messages, summary, { isRunning: !this.#isLocal })];
  }
}

function textOfBlocks(blocks: readonly ContentBlock[]): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
