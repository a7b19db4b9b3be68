import { randomUUID } from 'node:crypto';
import type { ClientSession, TranscriptEvent } from '@parley/client';
import {
  isPassing,
  isSteered,
  type PromptInput,
  promptEvents,
  promptMessageId,
  writeEntry,
  writeEvent,
} from '@parley/session';
import { GrowingChunk } from '@parley/session/log';
import type { NewEvent } from '@parley/store';

export interface SessionRecorder {
  /** Resolves when everything that happened so far is on disk; undefined when it is. Rejects when the disk does not take it. */
  save(): Promise<void> | undefined;
  /**
   * The turn of this prompt has the prompt's id, so that whoever asked for it through the log finds its end. Where a turn that runs
   * takes it, the log says which; `seq` is the number of the entry that asks for it, if there is one.
   */
  expect(prompt: PromptInput, seq?: number): void;
}

/**
 * Writes down a conversation with an agent that is not ours, in the form in which our own agent keeps its log: what we
 * said, what the agent told, and where each turn began and ended. What is told again on load is not written again. A prompt
 * is sent when it is on disk. What comes while a write is under way becomes the next write, so that load makes them larger.
 */
export function recordSession(
  session: ClientSession,
  append: (events: readonly NewEvent[]) => Promise<void>,
): SessionRecorder {
  let waiting: (NewEvent | GrowingChunk)[] = [];
  const expected: { readonly prompt: PromptInput; readonly seq: number }[] = [];
  let turnId = '';
  let last: Promise<void> = Promise.resolve();
  /** Writes that are not done; one that failed never is, and those after it fail with it. */
  let writes = 0;
  let isNextQueued = false;

  const queueWrite = (): void => {
    isNextQueued = true;
    writes += 1;
    const writing = last.then(() => {
      isNextQueued = false;
      const batch = waiting;
      waiting = [];
      return append(batch.map((each) => (each instanceof GrowingChunk ? writeEvent(each.toEvent()) : each)));
    });
    last = writing;
    writing.then(
      () => {
        writes -= 1;
      },
      // The error comes out where `save` is awaited; until then it must not end the program.
      () => {},
    );
  };
  const add = (event: TranscriptEvent): void => {
    const growing = waiting.at(-1);
    if (isSpoken(event)) {
      if (growing instanceof GrowingChunk && growing.add(event)) return;
      waiting.push(GrowingChunk.from(event) ?? writeEvent(event));
    } else {
      const entries = toLog(event, turnId);
      if (entries.length === 0) return;
      waiting.push(...entries);
    }
    if (!isNextQueued) queueWrite();
  };
  const addTaken = ({ messageId }: { readonly messageId?: string }): void => {
    const index = expected.findIndex(({ prompt }) => promptMessageId(prompt.promptId) === messageId);
    const [taken] = index < 0 ? [] : expected.splice(index, 1);
    if (!taken) return;
    const { seq, prompt } = taken;
    waiting.push(writeEntry({ type: 'input_taken', seq, promptId: prompt.promptId, turnId }));
    if (!isNextQueued) queueWrite();
  };
  const save = (): Promise<void> | undefined => (writes > 0 ? last : undefined);
  session.on('event', (event) => {
    if (session.isReplaying) return;
    if (event.type === 'turn_started') {
      const words = JSON.stringify(event.prompt);
      const index = expected.findIndex(({ prompt }) => JSON.stringify(prompt.content) === words);
      turnId = index < 0 ? randomUUID() : (expected.splice(index, 1)[0]?.prompt.promptId ?? '');
    }
    add(event);
    if (event.type === 'message_chunk' && isSteered(event)) addTaken(event);
  });
  session.beforePrompt(() => save());
  return { save, expect: (prompt, seq = 0) => void expected.push({ prompt, seq }) };
}

type Spoken = Extract<TranscriptEvent, { type: 'message_chunk' | 'thought_chunk' }>;

/** A piece of what the agent says; what comes back of the prompt was written down already. */
function isSpoken(event: TranscriptEvent): event is Spoken {
  return event.type === 'thought_chunk' || (event.type === 'message_chunk' && event.speaker === 'agent');
}

function toLog(event: TranscriptEvent, turnId: string): readonly NewEvent[] {
  switch (event.type) {
    case 'turn_started':
      return [writeEntry({ type: 'turn_started', turnId }), ...promptEvents(turnId, event.prompt).map(writeEvent)];
    case 'turn_ended':
      return [writeEntry({ type: 'turn_ended', turnId, stopReason: event.stopReason })];
    case 'turn_failed':
      return [writeEntry({ type: 'turn_ended', turnId, error: { code: 0, message: event.error } })];
    case 'message_chunk':
      // The prompt of a turn is written with its beginning; what was said into the turn is not.
      return isSteered(event) ? [writeEvent(event)] : [];
    case 'turn_cancelling':
    case 'question':
    case 'answer':
    case 'replay_started':
    case 'replay_ended':
    case 'modes':
    case 'cleared':
    case 'session_replaced':
    case 'connection_lost':
    case 'connection_restored':
      return [];
    case 'whole_message':
      return event.speaker === 'user' ? [] : [writeEvent(event)];
    default:
      return isPassing(event) ? [] : [writeEvent(event)];
  }
}
