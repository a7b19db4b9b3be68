import { applyEvent, createTranscript, type Entry, type Transcript, type TranscriptEvent } from '@parley/client';
import { assertNever } from '@parley/jsonrpc';
import { type Answer, type LogEntry, readEntry, shownBy, type TurnsDropped } from '@parley/session';
import type { LoggedEvent } from '@parley/store';

/** An event of a log, with the transcript of its turn as it is after it. */
export interface FoldedEvent {
  readonly event: TranscriptEvent;
  readonly transcript: Transcript;
}

/** Folds a log event by event. It begins anew with each turn: a session may be larger than memory. */
export async function* foldLog(events: AsyncIterable<LoggedEvent>): AsyncGenerator<FoldedEvent> {
  let transcript = createTranscript();
  const told = new Set<string>();
  for await (const logged of events) {
    for (const event of eventsOf(logged)) {
      // What still changes after its turn was told as it stood then.
      if (event.type === 'tool_call' && told.has(event.toolCallId)) continue;
      if (event.type === 'turn_started') {
        for (const entry of transcript.entries) if (entry.type === 'tool_call') told.add(entry.toolCallId);
        transcript = createTranscript();
      }
      transcript = applyEvent(transcript, event, logged.timeMs);
      yield { event, transcript };
    }
  }
}

/** An entry of a conversation, with the transcript of its turn. */
export interface FoldedEntry {
  readonly entry: Entry;
  readonly transcript: Transcript;
  /** Nothing follows it in its turn. */
  readonly isLast: boolean;
}

/** The entries of the conversation that a log tells, turn by turn. */
export async function* entriesOf(events: AsyncIterable<LoggedEvent>): AsyncGenerator<FoldedEntry> {
  let before = createTranscript();
  for await (const { event, transcript } of foldLog(events)) {
    if (event.type === 'turn_started') yield* entriesIn(before);
    before = transcript;
  }
  yield* entriesIn(before);
}

function* entriesIn(transcript: Transcript): Generator<FoldedEntry> {
  const entries = transcript.entries.toArray();
  for (const [index, entry] of entries.entries()) yield { entry, transcript, isLast: index === entries.length - 1 };
}

/** What an entry of a log is in a transcript; nothing for what has no place there. */
function eventsOf(logged: LoggedEvent): readonly TranscriptEvent[] {
  const entry = readEntry(logged);
  if (entry?.type === 'turns_dropped') return shownBy(entry);
  const event = entry && eventOf(entry);
  return event ? [event] : [];
}

function eventOf(entry: Exclude<LogEntry, TurnsDropped>): TranscriptEvent | undefined {
  switch (entry.type) {
    case 'event':
      return entry.event;
    case 'turn_started':
      // What was said is told by the message that follows.
      return { type: 'turn_started', prompt: [] };
    case 'turn_ended':
      if (entry.error) return { type: 'turn_failed', error: entry.error.message };
      return { type: 'turn_ended', stopReason: entry.stopReason ?? 'end_turn' };
    case 'question_asked':
      return { type: 'question', question: entry.question };
    case 'question_answered':
      return { type: 'answer', questionId: entry.questionId, outcome: `${wordAnswer(entry.answer)} by ${entry.by}` };
    case 'question_withdrawn':
      return { type: 'answer', questionId: entry.questionId, outcome: 'withdrawn' };
    // What somebody wants is told by what the owner does.
    case 'input_taken':
    case 'prompt':
    case 'cancel':
    case 'cancel_part':
    case 'answer':
    case 'change':
      return undefined;
    default:
      return assertNever(entry);
  }
}

/** An answer in a word or two. */
function wordAnswer(answer: Answer): string {
  if (answer.type === 'form') return answer.action;
  return answer.optionId ?? 'cancelled';
}
