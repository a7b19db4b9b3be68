import type { Entry, MessageEntry, ThoughtEntry, Transcript, TurnRecord } from '@parley/client';
import { type PlanRecord, readNoticeMark, type ToolCallContent } from '@parley/session';
import { diffPartsOf } from '@parley/session/view';
import { EMPTY_LINE, type Line, STYLES } from '@parley/terminal';
import { isToldShellRun } from '../../shell/shell-command.ts';
import { type EntryPlace, type EntrySink, passEntry } from '../../view/entry-sink.ts';
import { type RemarkEntry, viewPrompt, viewRemark, viewTurnEnd, wordContent } from '../../view/entry-view.ts';
import { isOldPrompt, type PastTurn, PastTurns } from '../../view/past-turns.ts';
import { viewPlan } from '../../view/plan-view.ts';
import { hasEnded, viewToolCall } from '../../view/tool-call-view.ts';
import type { ViewOptions } from '../../view/view-options.ts';
import { wordCount, wordDuration } from '../../view/wording.ts';
import { hasUnread, type ReadPosition, SpokenStream, UNREAD } from './spoken-stream.ts';

/** Of a long conversation that is loaded, only the end is printed. */
const MAX_REPLAYED_ENTRIES = 200;

/**
 * Turns a growing transcript into lines for the scrollback, each of them once. Messages come block by block; a tool call
 * comes when it has ended, and until then it floats: what the agent says meanwhile is printed before it.
 */
export class TranscriptPrinter {
  #next = 0;
  /** The turn whose end is still to be told. */
  #turn: number | undefined;
  #stream: SpokenStream | undefined;
  /** Messages with ids, which may still grow after others have begun. */
  readonly #positions = new Map<number, ReadPosition>();
  /** Where the tool calls are that have not ended, and the notices that may still change. */
  readonly #floating = new Set<number>();
  /** The diffs that a permission question has shown, by tool call. */
  readonly #shownDiffs = new Map<string, string>();
  #plans: readonly PlanRecord[] = [];
  #lines: Line[] = [];
  #lastKind = '';
  #foldedThought = '';
  #lastToolCall: string | undefined;
  readonly #past: PastTurns;
  readonly #sink: EntrySink<EntryPlace> = {
    prompt: (entry, { options }) => {
      this.#finishStream(options);
      this.#emit('prompt', viewPrompt(textOfPrompt(entry), options));
    },
    message: (entry, place) => this.#readSpoken(entry, place.index, UNREAD, place.options),
    thought: (entry, place) => this.#readSpoken(entry, place.index, UNREAD, place.options),
    toolCall: (_, place) => this.#float(place),
    notice: (_, place) => this.#float(place),
    compaction: (entry, { options }) => this.#remark(entry, options),
    unknown: (entry, { options }) => this.#remark(entry, options),
  };

  /** `past` tells how the turns of an old conversation ended, where that is known. */
  constructor(past: readonly PastTurn[] = []) {
    this.#past = new PastTurns(past);
  }

  /** What is there already was shown, and is not shown again. */
  skip({ entries }: Transcript): void {
    this.#next = entries.length;
  }

  /** Everything that is finished since the last call. */
  print(transcript: Transcript, options: ViewOptions): Line[] {
    this.#skipOldEntries(transcript, options);
    // What follows a long message waits until all of that is printed, some of it with each frame.
    if (this.#isStillBehind(options)) return this.#lines.splice(0);
    this.#readGrown(transcript, options);
    this.#printEnded(transcript, options);
    for (; this.#next < transcript.entries.length; this.#next += 1) {
      if (this.#isStillBehind(options)) return this.#lines.splice(0);
      const entry = transcript.entries.at(this.#next);
      if (entry) this.#take(entry, { index: this.#next, transcript, options });
    }
    if (this.#isStillBehind(options)) return this.#lines.splice(0);
    this.#printEnded(transcript, options);
    if (this.#turn !== undefined && transcript.plans.length > 0) this.#plans = transcript.plans;
    if (this.#turn !== undefined && isOver(transcript.turns.at(this.#turn))) this.#endTurn(transcript, options);
    if (transcript.state === 'idle' && transcript.entries.at(-1)?.origin === 'replay') {
      this.#endPastTurn(transcript, options);
    }
    return this.#lines.splice(0);
  }

  /** True while a message is longer than what was printed of it, and printing should go on soon. */
  isBehind(options: ViewOptions): boolean {
    return this.#stream?.isBehind === true && !this.#isHidden(options);
  }

  /** The rest, as it is: nothing more will come. */
  finish(transcript: Transcript, options: ViewOptions): Line[] {
    const lines = this.print(transcript, options);
    while (this.isBehind(options)) lines.push(...this.print(transcript, options));
    this.#finishStream(options);
    this.#printEnded(transcript, options, true);
    return [...lines, ...this.#lines.splice(0)];
  }

  /** What of the message that comes can still change. */
  tail(options: ViewOptions): Line[] {
    return this.#isHidden(options) ? [] : (this.#stream?.tail(options.width) ?? []);
  }

  /** True while the agent thinks and that is not shown. */
  isThinking(options: ViewOptions): boolean {
    return this.#stream?.isThought === true && this.#isHidden(options);
  }

  /** Where the tool calls are that have not ended, and the notices that may still change, oldest first. */
  get floating(): readonly number[] {
    return [...this.#floating];
  }

  /** The last thought that was folded away, in full. Empty after it was taken. */
  takeFoldedThought(): string {
    const text = this.#foldedThought;
    this.#foldedThought = '';
    return text;
  }

  get lastToolCall(): string | undefined {
    return this.#lastToolCall;
  }

  /** These diffs are on the screen already; unless they change, they are not shown once more. */
  hideDiffs(toolCallId: string, content: readonly ToolCallContent[]): void {
    this.#shownDiffs.set(toolCallId, JSON.stringify(diffPartsOf(content)));
  }

  /** Adds lines of ours in the order of things. */
  add(kind: string, lines: readonly Line[]): void {
    this.#emit(kind, lines);
  }

  /** What was added since `print`. */
  takeAdded(): Line[] {
    return this.#lines.splice(0);
  }

  /** True while a thought comes. */
  get isReadingThought(): boolean {
    return this.#stream?.isThought === true;
  }

  #take(entry: Entry, place: EntryPlace): void {
    const { transcript, options } = place;
    if (entry.turn !== undefined && entry.turn !== this.#turn) {
      this.#endTurn(transcript, options);
      this.#turn = entry.turn;
    }
    if (isOldPrompt(entry)) {
      // A prompt of an old conversation ends the turn before it.
      this.#endPastTurn(transcript, options);
      this.#past.begin(place);
    }
    passEntry(entry, this.#sink, place);
  }

  #float({ index, transcript, options }: EntryPlace): void {
    this.#finishStream(options);
    this.#floating.add(index);
    // One that has ended already, as all of an old conversation have, stands where it came.
    this.#printEnded(transcript, options);
  }

  #remark(entry: RemarkEntry, options: ViewOptions): void {
    this.#finishStream(options);
    this.#emit('note', viewRemark(entry, options));
  }

  /** Goes on with messages that have grown. Only one streams at a time: another one that grows takes its place. */
  #readGrown(transcript: Transcript, options: ViewOptions): void {
    if (this.#stream) this.#positions.set(this.#stream.index, this.#stream.position);
    for (const [index, position] of this.#positions) {
      const entry = transcript.entries.at(index);
      if ((entry?.type === 'message' || entry?.type === 'thought') && hasUnread(entry, position)) {
        this.#readSpoken(entry, index, position, options);
      }
    }
  }

  #readSpoken(entry: MessageEntry | ThoughtEntry, index: number, position: ReadPosition, options: ViewOptions): void {
    if (this.#stream?.index !== index) {
      this.#finishStream(options);
      this.#stream = new SpokenStream(index, entry, position);
    }
    this.#stream.read(entry);
    if (entry.messageId !== undefined) this.#positions.set(index, this.#stream.position);
    if (this.#stream.isThought) this.#foldedThought = entry.text;
  }

  #finishStream(options: ViewOptions): void {
    const stream = this.#stream;
    if (!stream) return;
    this.#positions.set(stream.index, stream.position);
    this.#stream = undefined;
    if (!stream.isThought || options.showsThoughts) {
      this.#emit('spoken', stream.finish(options.width));
      if (stream.isThought) this.#foldedThought = '';
    } else if (this.#foldedThought.trim() !== '') {
      const lastedMs = options.now - (stream.startedAt ?? options.now);
      const lasted = lastedMs < 1000 ? '' : ` for ${wordDuration(lastedMs)}`;
      this.#emit('thought', [[{ text: `  Thought${lasted} (ctrl+t)`, style: STYLES.dim }]]);
    }
  }

  /** Prints the floating tool calls that have ended, and the notices that will not change any more. */
  #printEnded(transcript: Transcript, options: ViewOptions, all = false): void {
    for (const index of this.#floating) {
      const call = transcript.entries.at(index);
      if (call?.type === 'notice' && (all || !readNoticeMark(call)?.isOpen)) {
        this.#floating.delete(index);
        this.#emit('note', viewRemark(call, options));
      }
      if (call?.type !== 'tool_call') continue;
      if (!all && !hasEnded(call)) continue;
      this.#floating.delete(index);
      this.#lastToolCall = call.toolCallId;
      const hidesDiffs = this.#shownDiffs.get(call.toolCallId) === JSON.stringify(diffPartsOf(call.content));
      this.#emit('tool', viewToolCall(this.#past.asLeft(call), transcript, { ...options, hidesDiffs }));
    }
  }

  /** In a turn that was stopped nothing is tried again, so what still says so is left out. */
  #dropOpenNotices(transcript: Transcript, { stopReason }: Pick<TurnRecord, 'stopReason'>): void {
    if (stopReason !== 'cancelled') return;
    for (const index of this.#floating) {
      const entry = transcript.entries.at(index);
      if (entry?.type === 'notice' && readNoticeMark(entry)?.isOpen) this.#floating.delete(index);
    }
  }

  /** Nothing of an old turn goes on: what it left open is printed as it was left. */
  #endPastTurn(transcript: Transcript, options: ViewOptions): void {
    this.#finishStream(options);
    const { ending } = this.#past;
    if (ending) this.#dropOpenNotices(transcript, ending);
    this.#printEnded(transcript, options, true);
    if (ending) this.#emit('note', viewTurnEnd(ending, options));
    this.#past.end();
  }

  #endTurn(transcript: Transcript, options: ViewOptions): void {
    if (this.#turn === undefined) return;
    const turn = transcript.turns.at(this.#turn);
    this.#finishStream(options);
    if (turn) this.#dropOpenNotices(transcript, turn);
    this.#printEnded(transcript, options, true);
    this.#positions.clear();
    this.#shownDiffs.clear();
    const told = this.#plans.filter(({ entries, document }) => entries.length > 0 || document !== undefined);
    for (const plan of told) this.#emit('plan', viewPlan(plan, { ...options, isOneOfMany: told.length > 1 }));
    this.#plans = [];
    if (turn) this.#emit('note', viewTurnEnd(turn, options));
    this.#turn = undefined;
  }

  #skipOldEntries({ entries }: Transcript, options: ViewOptions): void {
    if (this.#next > 0 || entries.length <= MAX_REPLAYED_ENTRIES) return;
    this.#next = entries.length - MAX_REPLAYED_ENTRIES;
    const note = `  … ${wordCount(this.#next, 'earlier entry', 'earlier entries')} not shown`;
    this.#emit('note', [[{ text: note.slice(0, options.width), style: STYLES.dim }]]);
  }

  /** Prints what one frame may take of the message that comes; true when there is more. */
  #isStillBehind(options: ViewOptions): boolean {
    if (!this.isBehind(options)) return false;
    if (this.#stream) this.#emit('spoken', this.#stream.takeFinished(options.width));
    return this.isBehind(options);
  }

  #isHidden({ showsThoughts }: ViewOptions): boolean {
    return this.#stream?.isThought === true && !showsThoughts;
  }

  /** Things of one kind stand close together; an empty line parts them from others. */
  #emit(kind: string, lines: readonly Line[]): void {
    const [first] = lines;
    if (!first) return;
    const isNew = kind !== this.#lastKind || kind === 'prompt';
    if (isNew && first.length > 0 && this.#lastKind !== '') this.#lines.push(EMPTY_LINE);
    this.#lines.push(...lines);
    this.#lastKind = kind;
  }
}

function isOver(turn: TurnRecord | undefined): boolean {
  return turn?.status === 'ended' || turn?.status === 'failed';
}

function textOfPrompt(entry: MessageEntry): string {
  const texts = [...entry.content].filter(({ type }) => type === 'text').map(wordContent);
  // What the person has run before it was shown when it was run.
  const written = texts.filter((text) => !isToldShellRun(text)).join('');
  const hasText = written.trim() !== '';
  const others = [...entry.content].filter(({ type }) => type !== 'text').map(wordContent);
  // Files that a prompt names stand in its text already.
  return hasText ? written : others.join(' ');
}
