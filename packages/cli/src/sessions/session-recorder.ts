import { randomUUID } from 'node:crypto';
import type { ClientSession, TranscriptEvent } from '@parley/client';
import type { ContentBlock } from '@parley/protocol';
import type { SessionEvent } from '@parley/session';
import type { NewEvent } from '@parley/store';

/** Longest text that pieces are joined to. */
const MAX_MERGED_CHARACTERS = 32_768;

/** Describes a moment, not the conversation. */
const PASSING: ReadonlySet<string> = new Set(['commands', 'notice', 'state']);

export interface SessionRecorder {
  /** Resolves when everything that happened so far is on disk; undefined when it is. Rejects when the disk does not take it. */
  save(): Promise<void> | undefined;
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
  let waiting: NewEvent[] = [];
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
      return append(batch);
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
  const add = (event: NewEvent): void => {
    const merged = merge(waiting.at(-1), event);
    if (merged) waiting[waiting.length - 1] = merged;
    else waiting.push(event);
    if (!isNextQueued) queueWrite();
  };
  const save = (): Promise<void> | undefined => (writes > 0 ? last : undefined);
  session.on('event', (event) => {
    if (session.isReplaying) return;
    if (event.type === 'turn_started') turnId = randomUUID();
    for (const entry of toLog(event, turnId)) add(entry);
  });
  session.beforePrompt(() => save());
  return { save };
}

function toLog(event: TranscriptEvent, turnId: string): readonly NewEvent[] {
  switch (event.type) {
    case 'turn_started':
      return [{ kind: 'turn_start', body: { turnId } }, ...event.prompt.map((content) => said(content, turnId))];
    case 'turn_ended':
      return [{ kind: 'turn_end', body: { turnId, stopReason: event.stopReason } }];
    case 'turn_failed':
      return [{ kind: 'turn_end', body: { turnId, error: { code: 0, message: event.error } } }];
    case 'message_chunk':
      // An echo of the prompt, which we have written down already.
      return event.speaker === 'user' ? [] : [{ kind: event.type, body: event }];
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
    default:
      return PASSING.has(event.type) ? [] : [{ kind: event.type, body: event }];
  }
}

function said(content: ContentBlock, turnId: string): NewEvent {
  return {
    kind: 'message_chunk',
    body: { type: 'message_chunk', speaker: 'user', messageId: `prompt-${turnId}`, content },
  };
}

/** Two pieces of the agent's text as one; undefined when they are not. */
function merge(last: NewEvent | undefined, next: NewEvent): NewEvent | undefined {
  if (last?.kind !== next.kind || (next.kind !== 'message_chunk' && next.kind !== 'thought_chunk')) return undefined;
  const [a, b] = [last.body as SessionEvent, next.body as SessionEvent];
  if (!('content' in a) || !('content' in b) || !isText(a.content) || !isText(b.content)) return undefined;
  const isSame = JSON.stringify({ ...a, content: 0 }) === JSON.stringify({ ...b, content: 0 });
  if (!isSame || a.content.text.length + b.content.text.length > MAX_MERGED_CHARACTERS) return undefined;
  const isUser = 'speaker' in a && a.speaker === 'user';
  if (isUser) return undefined;
  return { ...last, body: { ...a, content: { type: 'text', text: a.content.text + b.content.text } } };
}

function isText(content: unknown): content is { readonly type: 'text'; readonly text: string } {
  return (
    typeof content === 'object' &&
    content !== null &&
    'type' in content &&
    content.type === 'text' &&
    !('annotations' in content)
  );
}
