import type {
  CompactionEntry,
  Entry,
  MessageEntry,
  NoticeEntry,
  ThoughtEntry,
  ToolCallEntry,
  Transcript,
  UnknownEntry,
} from '@parley/client';
import { assertNever } from '@parley/jsonrpc';
import type { ViewOptions } from './view-options.ts';

/** Where an entry stands, and how it is shown. */
export interface EntryPlace {
  readonly transcript: Transcript;
  readonly index: number;
  readonly options: ViewOptions;
}

/**
 * Shows the entries of a transcript, with one method for each kind. The chat on a screen, the chat in lines and the text of
 * the command implement it, so that the compiler names all of them when there is a new kind.
 */
export interface EntrySink<Place> {
  /** A message of the person. */
  readonly prompt: (entry: MessageEntry, place: Place) => void;
  /** A message of the agent. */
  readonly message: (entry: MessageEntry, place: Place) => void;
  readonly thought: (entry: ThoughtEntry, place: Place) => void;
  readonly toolCall: (entry: ToolCallEntry, place: Place) => void;
  readonly notice: (entry: NoticeEntry, place: Place) => void;
  readonly compaction: (entry: CompactionEntry, place: Place) => void;
  readonly unknown: (entry: UnknownEntry, place: Place) => void;
}

/** Passes an entry to the method for its kind. */
export function passEntry<Place>(entry: Entry, sink: EntrySink<Place>, place: Place): void {
  switch (entry.type) {
    case 'message':
      return entry.speaker === 'user' ? sink.prompt(entry, place) : sink.message(entry, place);
    case 'thought':
      return sink.thought(entry, place);
    case 'tool_call':
      return sink.toolCall(entry, place);
    case 'notice':
      return sink.notice(entry, place);
    case 'compaction':
      return sink.compaction(entry, place);
    case 'unknown':
      return sink.unknown(entry, place);
    default:
      return assertNever(entry);
  }
}
