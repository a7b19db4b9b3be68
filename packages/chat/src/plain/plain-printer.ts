import type { Entry, NoticeEntry, ToolCallEntry, Transcript } from '@parley/client';
import { readNoticeMark } from '@parley/session';
import { wordTurnEnd } from '@parley/session/view';
import { cleanLine, cleanText, textOfLine } from '@parley/terminal';
import { type EntryPlace, type EntrySink, passEntry } from '../view/entry-sink.ts';
import { wordContent, wordRemark } from '../view/entry-view.ts';
import { isOldPrompt, type PastTurn, PastTurns } from '../view/past-turns.ts';
import { hasEnded, viewToolCallBody, viewWordedHead } from '../view/tool-call-view.ts';
import type { ViewOptions } from '../view/view-options.ts';

/**
 * Turns a growing transcript into lines of plain text. Each begins with who or what it is from, and what goes on after a
 * line break is indented: no text of an agent can look like a line of ours.
 */
export class PlainPrinter {
  #next = 0;
  #turnsTold = 0;
  #plan = '';
  #message: { readonly index: number; length: number; hasBegun: boolean } | undefined;
  readonly #open = new Map<number, ToolCallEntry['status']>();
  /** Where the notices are that may still change. */
  readonly #openNotices = new Set<number>();
  #lines: string[] = [];
  readonly #past: PastTurns;
  readonly #sink: EntrySink<EntryPlace> = {
    // What the person wrote stands there already; of an old conversation it is told again.
    prompt: ({ origin, text }) => {
      if (origin === 'replay') this.#say('you', text);
    },
    message: (_, { index, transcript }) => {
      this.#message = { index, length: 0, hasBegun: false };
      this.#readMessage(transcript);
    },
    // Plain lines show no thoughts.
    thought: () => {},
    toolCall: (_, { index, transcript, options }) => {
      this.#open.set(index, 'pending');
      this.#readToolCalls(transcript, options);
    },
    notice: (entry, place) => this.#takeNotice(entry, place),
    compaction: (entry) => this.#say('note', wordRemark(entry).text),
    unknown: (entry) => this.#say('note', wordRemark(entry).text),
  };

  /** `past` tells how the turns of an old conversation ended, where that is known. */
  constructor(past: readonly PastTurn[] = []) {
    this.#past = new PastTurns(past);
  }

  /** The lines since the last call. Only whole lines of a message come while it is still being written. */
  print(transcript: Transcript, options: ViewOptions): string[] {
    this.#readMessage(transcript);
    this.#readToolCalls(transcript, options);
    this.#readNotices(transcript);
    for (; this.#next < transcript.entries.length; this.#next += 1) {
      const entry = transcript.entries.at(this.#next);
      if (entry) this.#take(entry, { index: this.#next, transcript, options });
    }
    if (transcript.state === 'idle' && transcript.entries.at(-1)?.origin === 'replay') this.#endPastTurn(transcript);
    this.#readPlan(transcript);
    this.#readTurns(transcript);
    return this.#lines.splice(0);
  }

  /** True when a part of a message waits for the end of its line. */
  hasRest(transcript: Transcript): boolean {
    const { index, length } = this.#message ?? { index: -1, length: 0 };
    return (textOfEntry(transcript, index)?.length ?? 0) > length;
  }

  /** The part that waits, as a line of its own. */
  takeRest(transcript: Transcript): string[] {
    const message = this.#message;
    const text = message && textOfEntry(transcript, message.index);
    if (!message || text === undefined || text.length <= message.length) return [];
    this.#sayPart(message, text.slice(message.length));
    message.length = text.length;
    return this.#lines.splice(0);
  }

  #take(entry: Entry, place: EntryPlace): void {
    // A message goes on after a thought, which is not shown.
    if (entry.type !== 'thought') this.#endMessage(place.transcript);
    if (isOldPrompt(entry)) {
      this.#endPastTurn(place.transcript);
      this.#past.begin(place);
    }
    passEntry(entry, this.#sink, place);
  }

  #takeNotice(entry: NoticeEntry, { index, transcript }: EntryPlace): void {
    if (!isOpenNotice(entry)) return this.#say('note', wordRemark(entry).text);
    this.#openNotices.add(index);
    // What is about to happen is told once; and not at all when the person has stopped it, or it was long ago.
    const isStopped = transcript.state === 'cancelling' || transcript.state === 'idle';
    if (entry.origin !== 'replay' && !isStopped) this.#say('note', wordRemark(entry).text);
  }

  /** Tells what became of the notices that said what is about to happen. */
  #readNotices(transcript: Transcript): void {
    for (const index of this.#openNotices) {
      const entry = transcript.entries.at(index);
      if (entry?.type !== 'notice' || isOpenNotice(entry)) continue;
      this.#openNotices.delete(index);
      this.#say('note', wordRemark(entry).text);
    }
  }

  #readMessage(transcript: Transcript): void {
    const message = this.#message;
    const text = message && textOfEntry(transcript, message.index);
    if (!message || text === undefined) return;
    const end = text.lastIndexOf('\n') + 1;
    if (end > message.length) this.#sayPart(message, text.slice(message.length, end - 1));
    message.length = Math.max(message.length, end);
  }

  #endMessage(transcript: Transcript): void {
    const message = this.#message;
    const text = message && textOfEntry(transcript, message.index);
    if (message && text !== undefined && text.length > message.length)
      this.#sayPart(message, text.slice(message.length));
    this.#message = undefined;
  }

  #sayPart(message: { hasBegun: boolean }, text: string): void {
    for (const line of cleanText(text).split('\n')) {
      this.#lines.push(message.hasBegun ? `  ${line}`.trimEnd() : `agent: ${line}`);
      message.hasBegun = true;
    }
  }

  #readToolCalls(transcript: Transcript, options: ViewOptions): void {
    for (const [index, told] of this.#open) {
      const known = transcript.entries.at(index);
      if (known?.type !== 'tool_call' || known.status === told) continue;
      const call = this.#past.asLeft(known);
      this.#open.set(index, known.status);
      this.#say('tool', textOfLine(viewWordedHead(call, transcript)));
      if (!hasEnded(call)) continue;
      this.#open.delete(index);
      for (const line of viewToolCallBody(call, transcript, options)) this.#lines.push(textOfLine(line).trimEnd());
    }
  }

  #readPlan({ plan }: Transcript): void {
    if (plan.length === 0) return;
    const done = plan.filter(({ status }) => status === 'completed').length;
    const current = plan.find(({ status }) => status === 'in_progress');
    const now = current ? `, now: ${cleanLine(current.content)}` : '';
    const words = `${done} of ${plan.length} done${now}`;
    if (words !== this.#plan) this.#say('plan', words);
    this.#plan = words;
  }

  #readTurns(transcript: Transcript): void {
    for (; this.#turnsTold < transcript.turns.length; this.#turnsTold += 1) {
      const turn = transcript.turns.at(this.#turnsTold);
      if (!turn || turn.status === 'running' || turn.status === 'cancelling') return;
      this.#tellEnd(turn, transcript);
    }
  }

  #endPastTurn(transcript: Transcript): void {
    const { ending } = this.#past;
    if (ending) this.#tellEnd(ending, transcript);
    this.#past.end();
  }

  #tellEnd(turn: PastTurn['end'], transcript: Transcript): void {
    this.#endMessage(transcript);
    this.#openNotices.clear();
    const end = wordTurnEnd(turn);
    if (end) this.#say(end.isBad ? 'error' : 'note', end.text);
  }

  #say(who: string, text: string): void {
    const [first = '', ...rest] = cleanText(text).split('\n');
    this.#lines.push(`${who}: ${first}`, ...rest.map((line) => `  ${line}`.trimEnd()));
  }
}

function isOpenNotice(entry: Entry): boolean {
  return entry.type === 'notice' && readNoticeMark(entry)?.isOpen === true;
}

function textOfEntry(transcript: Transcript, index: number): string | undefined {
  const entry = index < 0 ? undefined : transcript.entries.at(index);
  if (entry?.type !== 'message') return undefined;
  const others = [...entry.content].filter(({ type }) => type !== 'text');
  return others.length === 0 ? entry.text : [...entry.content].map(wordContent).join('\n');
}
