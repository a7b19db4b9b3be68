import { applyEvent, createTranscript, type Entry, type Transcript, type TranscriptEvent } from '@parley/client';
import type { ContentBlock, StopReason } from '@parley/protocol';
import type { SessionEvent } from '@parley/session';
import type { LoggedEvent, NewEvent } from '@parley/store';

/** What a logged event tells; undefined for what nobody has to be told. */
export function eventOf({ kind, body }: Pick<LoggedEvent, 'kind' | 'body'>): TranscriptEvent | undefined {
  if (kind === 'turn_end') return turnEnd(body as TurnEnd);
  const event = body as SessionEvent | null;
  return event?.type === kind ? event : undefined;
}

/** The entries of the conversation that a log tells, turn by turn: a session may be larger than memory. */
export async function* entriesOf(events: AsyncIterable<LoggedEvent>): AsyncGenerator<Entry> {
  let transcript = createTranscript();
  const told = new Set<string>();
  for await (const logged of events) {
    if (logged.kind === 'turn_start') {
      for (const entry of transcript.entries.toArray()) {
        if (entry.type === 'tool_call') told.add(entry.toolCallId);
        yield entry;
      }
      transcript = createTranscript();
    }
    const event = eventOf(logged);
    // Without its beginning, which would need the prompt in one piece, the end of a turn has nothing to end.
    if (!event || logged.kind === 'turn_end') continue;
    // What still changes after its turn was told as it stood then.
    if (event.type === 'tool_call' && told.has(event.toolCallId)) continue;
    transcript = applyEvent(transcript, event, logged.timeMs);
  }
  yield* transcript.entries.toArray();
}

/** A conversation that an agent told on load, as events to be kept: the beginning of a record that had none. */
export function eventsOfTranscript({ entries }: Transcript): readonly NewEvent[] {
  return entries.toArray().flatMap((entry): NewEvent[] => {
    switch (entry.type) {
      case 'message':
        return entry.content
          .toArray()
          .map((content) => logged({ type: 'message_chunk', speaker: entry.speaker, ...idOf(entry), content }));
      case 'thought':
        return entry.content
          .toArray()
          .map((content: ContentBlock) => logged({ type: 'thought_chunk', ...idOf(entry), content }));
      case 'tool_call': {
        const { toolCallId, title, kind, status, content, locations, rawInput, rawOutput } = entry;
        const facts = { toolCallId, title, kind, content, locations, rawInput, rawOutput };
        return [logged({ type: 'tool_call', ...facts, ...(status !== 'cancelled' && { status }) })];
      }
      default:
        return [];
    }
  });
}

interface TurnEnd {
  readonly stopReason?: string;
  readonly error?: { readonly message: string };
}

function turnEnd({ stopReason, error }: TurnEnd): TranscriptEvent {
  if (error) return { type: 'turn_failed', error: error.message };
  return { type: 'turn_ended', stopReason: (stopReason ?? 'end_turn') as StopReason };
}

function logged(event: SessionEvent): NewEvent {
  return { kind: event.type, body: event };
}

function idOf({ messageId }: { readonly messageId?: string }): { readonly messageId?: string } {
  return messageId === undefined ? {} : { messageId };
}
