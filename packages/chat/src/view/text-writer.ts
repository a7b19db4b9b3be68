import type { Entry, ToolCallEntry, Transcript, TranscriptEvent, TurnEvent, TurnRecord } from '@parley/client';
import { toTurnEvent } from '@parley/client';
import { assertNever } from '@parley/jsonrpc';
import { getTerminal, type NoticeEvent, type PlanEvent, readNoticeMark } from '@parley/session';
import { cleanLine, cleanText, type Line, type PaintOptions, paint, STYLES, type Style } from '@parley/terminal';
import { wordQuestion } from './describe-question.ts';
import { type EntrySink, passEntry } from './entry-sink.ts';
import { wordContent, wordRemark } from './entry-view.ts';
import { viewPlan } from './plan-view.ts';
import { isShownByCall, viewTerminal } from './terminal-view.ts';
import { hasEnded, viewToolCallBody, viewWordedHead } from './tool-call-view.ts';
import type { ViewOptions } from './view-options.ts';

export interface TextWriterOptions {
  readonly write: (text: string) => void;
  readonly view: () => ViewOptions;
  readonly paint: PaintOptions;
}

/**
 * A conversation as text that only grows: what the agent says as it says it, and a line in brackets for each thing that it
 * does. `exec`, `prompt`, `sessions watch`, `history` and `export` write with it.
 */
export class TextWriter {
  readonly #options: TextWriterOptions;
  /** The state in which each tool call was shown last. */
  readonly #shown = new Map<string, string>();
  /** What the last thing written was, so that a new kind begins on a new line. */
  #last: 'nothing' | 'prompt' | 'text' | 'thought' | 'line' = 'nothing';
  #isAtLineStart = true;

  readonly #sink: EntrySink<Transcript> = {
    prompt: ({ content }) => this.#prompt(textOf(content)),
    message: ({ content }) => this.#speak('text', textOf(content).trimEnd()),
    thought: ({ text }) => this.#speak('thought', text.trim()),
    toolCall: (entry, transcript) => this.#toolCall(entry, transcript),
    notice: (entry) => this.#remark(entry),
    compaction: (entry) => this.#remark(entry),
    unknown: (entry) => {
      if (this.#options.view().isDetailed) this.#remark(entry);
    },
  };

  constructor(options: TextWriterOptions) {
    this.#options = options;
  }

  /** Writes one thing that a turn tells. */
  tell(event: TurnEvent, transcript: Transcript): void {
    switch (event.type) {
      case 'text':
        return this.#speak('text', event.text);
      case 'thought':
        return this.#speak('thought', event.text);
      // What stands in a terminal cannot be taken back, so it is said again.
      case 'retold':
        return this.#speak(event.entry.type === 'thought' ? 'thought' : 'text', `\n\n${event.entry.text}`);
      case 'content':
        return this.#line([{ text: wordContent(event.content), style: STYLES.dim }]);
      case 'tool_call':
        return this.#toolCall(event.toolCall, transcript);
      case 'plan':
        return this.#plan(event, transcript);
      case 'notice':
        return this.#isTold(event) ? undefined : this.#remark(event);
      case 'compaction':
        return this.#remark(event);
      case 'unknown':
        return this.#options.view().isDetailed ? this.#remark(event) : undefined;
      case 'terminal':
        return this.#terminal(event.terminalId, transcript);
      case 'gap':
        return this.#line([{ text: `[${event.skipped} events left out]`, style: STYLES.dim }]);
      // What is asked is shown by who asks the person; the rest is no part of the conversation.
      case 'question':
      case 'answer':
      case 'commands':
      case 'mode':
      case 'config':
      case 'info':
      case 'usage':
      case 'compaction_chunk':
      case 'state':
      case 'terminal_output':
      case 'subagent':
      case 'session_message':
        return;
      default:
        return assertNever(event);
    }
  }

  /** Writes an event of a log, with what the person said, what was asked and answered, and how turns ended. `transcript` has the event already. */
  follow(event: TranscriptEvent, transcript: Transcript): void {
    const told = toTurnEvent(event, transcript);
    if (told?.type === 'question') this.#line([{ text: `[asked] ${cleanLine(wordQuestion(told.question))}` }]);
    else if (told?.type === 'answer') this.#line([{ text: `[answer] ${cleanLine(told.outcome)}`, style: STYLES.dim }]);
    else if (told) this.tell(told, transcript);
    else if (event.type === 'message_chunk') this.#prompt(wordContent(event.content));
    else if (event.type === 'turn_ended' || event.type === 'turn_failed') this.endTurn(transcript.turns.at(-1));
  }

  /** Writes an entry as it is now. */
  entry(entry: Entry, transcript: Transcript): void {
    passEntry(entry, this.#sink, transcript);
  }

  endTurn(turn: TurnRecord | undefined): void {
    if (turn?.status === 'failed') this.#line([{ text: `[failed] ${cleanLine(turn.error ?? '')}`, style: STYLES.dim }]);
    else if (turn?.stopReason !== undefined) this.done(turn.stopReason);
  }

  /** `facts` are what the turn took, in words. */
  done(stopReason: string, facts: readonly string[] = []): void {
    const words = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
    this.#line([{ text: `[done] ${stopReason}${words}`, style: STYLES.dim }]);
  }

  endLine(): void {
    if (!this.#isAtLineStart) this.#write('\n');
  }

  #speak(kind: 'text' | 'thought', text: string): void {
    if (kind === 'thought' && !this.#options.view().showsThoughts) return;
    this.#begin(kind);
    const clean = cleanText(text);
    this.#write(kind === 'thought' ? this.#paintLines(clean, STYLES.dim) : clean);
  }

  #prompt(text: string): void {
    if (text === '') return;
    this.endLine();
    if (this.#last !== 'nothing') this.#write('\n');
    for (const line of cleanText(text).trimEnd().split('\n')) this.#line([{ text: `> ${line}`, style: STYLES.bold }]);
    this.#last = 'prompt';
  }

  #toolCall(call: ToolCallEntry, transcript: Transcript): void {
    const { toolCallId, status, title } = call;
    const state = hasEnded(call) ? status : `running ${title}`;
    if (this.#shown.get(toolCallId) === state) return;
    this.#shown.set(toolCallId, state);
    this.#line([{ text: '[tool] ', style: STYLES.active }, ...viewWordedHead(call, transcript)]);
    if (!hasEnded(call)) return;
    for (const line of viewToolCallBody(call, transcript, this.#options.view())) this.#line(line);
  }

  #plan({ planId, isRemoved, ...plan }: PlanEvent, { plans }: Transcript): void {
    const isOneOfMany = plans.length > 1 || isRemoved === true;
    const name = isOneOfMany && planId !== undefined ? ` ${cleanLine(planId)}` : '';
    this.#line([{ text: `[plan${name}${isRemoved ? ', removed' : ''}]`, style: STYLES.bold }]);
    for (const line of viewPlan(plan, this.#options.view()).slice(1)) this.#line(line);
  }

  /** A terminal of the agent that no tool call shows, once its command has ended. */
  #terminal(terminalId: string, transcript: Transcript): void {
    const terminal = getTerminal(transcript, terminalId);
    const key = `terminal ${terminalId}`;
    if (!terminal?.exit || this.#shown.has(key) || isShownByCall(terminalId, transcript)) return;
    this.#shown.set(key, 'ended');
    for (const line of viewTerminal(terminal, this.#options.view())) this.#line(line);
  }

  /** Lines cannot be taken back: of a notice that changes the first is written, and the last. */
  #isTold(event: NoticeEvent): boolean {
    const mark = readNoticeMark(event);
    if (!mark) return false;
    const key = `notice ${mark.id}`;
    const isTold = mark.isOpen && this.#shown.has(key);
    this.#shown.set(key, 'told');
    return isTold;
  }

  #remark(entry: Parameters<typeof wordRemark>[0]): void {
    const { text, style = STYLES.warning } = wordRemark(entry);
    this.#line([{ text: `[notice] ${text}`, style }]);
  }

  /** A new kind begins on a new line, and what is said has an empty line between it and what was done before. */
  #begin(kind: 'text' | 'thought' | 'line'): void {
    if (!this.#isAtLineStart && (kind !== this.#last || kind === 'line')) this.#write('\n');
    if (kind === 'text' && this.#last === 'line') this.#write('\n');
    if (kind === 'thought' && this.#last !== 'thought') this.#write(this.#paintLines('[thinking] ', STYLES.dim));
    this.#last = kind;
  }

  #line(line: Line): void {
    this.#begin('line');
    this.#write(`${paint(line, this.#options.paint).trimEnd()}\n`);
  }

  /** Line by line, so that no style goes beyond the end of one. */
  #paintLines(text: string, style: Style): string {
    return text
      .split('\n')
      .map((line) => paint([{ text: line, style }], this.#options.paint))
      .join('\n');
  }

  #write(text: string): void {
    if (text === '') return;
    this.#isAtLineStart = text.endsWith('\n');
    this.#options.write(text);
  }
}

function textOf(content: Extract<Entry, { type: 'message' }>['content']): string {
  let text = '';
  for (const block of content) text += block.type === 'text' ? block.text : `\n${wordContent(block)}\n`;
  return text;
}
