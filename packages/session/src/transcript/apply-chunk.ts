import type { ContentBlock } from '@parley/protocol';
import type { MessageChunk, ThoughtChunk } from '../event.ts';
import { META } from '../meta.ts';
import { appendContent, textOf } from './content-list.ts';
import { appendEntry, findEntry, isRunning, type NewEntry, replaceEntry } from './entries.ts';
import type { Entry, MessageEntry, ThoughtEntry } from './entry.ts';
import { List } from './list.ts';
import { getOwnPrompt, nameOwnPrompt } from './own-prompt.ts';
import type { Transcript } from './transcript.ts';

type Chunk = MessageChunk | ThoughtChunk;
type Spoken = MessageEntry | ThoughtEntry;

/** Adds a piece to the message it belongs to, or begins the next message with it. */
export function applyChunk(transcript: Transcript, chunk: Chunk, at: number | undefined): Transcript {
  const unechoed = takeEcho(transcript, chunk);
  if (unechoed !== undefined) {
    const { messageId } = chunk;
    const named = messageId === undefined ? transcript : nameOwnPrompt(transcript, messageId);
    return { ...named, folding: { ...named.folding, unechoed } };
  }
  const position = findMessage(transcript, chunk);
  const entry = position === undefined ? undefined : transcript.entries.at(position);
  if (position !== undefined && entry && isSpoken(entry)) {
    return replaceEntry(transcript, position, extend(entry, chunk.content));
  }
  const { messageId, content } = chunk;
  const facts = {
    content: List.empty<ContentBlock>().push(content),
    text: textOf(content),
    ...(messageId !== undefined && { messageId }),
  };
  const entryFacts: NewEntry =
    chunk.type === 'thought_chunk'
      ? { type: 'thought', ...facts }
      : { type: 'message', speaker: chunk.speaker, ...facts };
  const appended = appendEntry(transcript, entryFacts, { at, meta: chunk.meta, key: keyOf(chunk) });
  const isUsers = chunk.type === 'message_chunk' && chunk.speaker === 'user';
  // What the person says into a turn begins none.
  if (!isUsers || isSteered(chunk)) return appended;
  return { ...appended, folding: { ...appended.folding, lastUserEntry: transcript.entries.length } };
}

/** Puts our own prompt into the transcript, at the beginning of its turn. */
export function applyPrompt(
  transcript: Transcript,
  prompt: readonly ContentBlock[],
  at: number | undefined,
): Transcript {
  let content = List.empty<ContentBlock>();
  let text = '';
  for (const block of prompt) {
    content = content.push(block);
    text += textOf(block);
  }
  const prompted = appendEntry(transcript, { type: 'message', speaker: 'user', content, text }, { at });
  return { ...prompted, folding: { ...prompted.folding, unechoed: text } };
}

/**
 * Some agents send the prompt back as `user_message_chunk`. It is in the transcript already, so an echo of it is
 * swallowed: returns what then is left to be echoed, or undefined when the chunk is no echo.
 */
function takeEcho(transcript: Transcript, chunk: Chunk): string | undefined {
  const { folding, isReplaying, state } = transcript;
  if (chunk.type !== 'message_chunk' || chunk.speaker !== 'user' || isReplaying || state === 'idle') return undefined;
  if (isSteered(chunk)) return undefined;
  const promptId = getOwnPrompt(transcript)?.messageId;
  if (promptId !== undefined && chunk.messageId !== undefined)
    return chunk.messageId === promptId ? folding.unechoed : undefined;
  const text = textOf(chunk.content);
  if (text === '') return chunk.content.type === 'text' ? folding.unechoed : undefined;
  const trimmed = text.trim();
  if (folding.unechoed.startsWith(text)) return folding.unechoed.slice(text.length);
  const rest = folding.unechoed.trimStart();
  return trimmed !== '' && rest.startsWith(trimmed) ? rest.slice(trimmed.length) : undefined;
}

/**
 * The message that a chunk continues: the one with its id, wherever that is; without an id the last entry, if the same
 * side spoke it. In a new turn, or where a replay begins or ends, a new message begins.
 */
function findMessage(transcript: Transcript, chunk: Chunk): number | undefined {
  const last = transcript.entries.at(-1);
  const lastPosition = transcript.entries.length - 1;
  if (last && isSpoken(last) && isSameSpeaker(last, chunk)) {
    if (last.messageId === chunk.messageId && chunk.messageId !== undefined) return lastPosition;
    const isOurPrompt = last.turn !== undefined && transcript.turns.at(last.turn)?.firstEntry === lastPosition;
    const isSamePlace = (last.origin === 'replay') === transcript.isReplaying && !isOurPrompt;
    if (last.messageId === undefined && chunk.messageId === undefined && isSamePlace) return lastPosition;
  }
  const key = keyOf(chunk);
  const position = key === undefined ? undefined : findEntry(transcript, key);
  return position !== undefined && isCurrent(transcript, position) ? position : undefined;
}

/** Whether chunks continue the message at a place. Agents that count their messages anew in each turn give two of them one id; an old turn's message is not continued. */
export function isCurrent(transcript: Transcript, position: number): boolean {
  const { turns, isReplaying, folding } = transcript;
  if (isReplaying) return position >= folding.lastUserEntry;
  const turn = transcript.entries.at(position)?.turn;
  return !isRunning(transcript) || turn === undefined || turn === turns.length - 1;
}

function keyOf(chunk: Chunk): string | undefined {
  if (chunk.messageId === undefined) return undefined;
  return `${chunk.type === 'thought_chunk' ? 'thought' : chunk.speaker} ${chunk.messageId}`;
}

/** Whether something was said into a turn that ran, as the agent marks it: a message entry, or a piece of the message. */
export function isSteered({ meta }: Pick<Entry | Chunk, 'meta'>): boolean {
  return meta?.[META.steer] === true;
}

function isSpoken(entry: Entry): entry is Spoken {
  return entry.type === 'message' || entry.type === 'thought';
}

function isSameSpeaker(entry: Spoken, chunk: Chunk): boolean {
  if (entry.type === 'thought') return chunk.type === 'thought_chunk';
  return chunk.type === 'message_chunk' && chunk.speaker === entry.speaker;
}

/** JavaScript engines join strings lazily, so adding a piece to a long text does not copy the text. */
function extend(entry: Spoken, block: ContentBlock): Spoken {
  const content = appendContent(entry.content, block);
  const only = content.length === 1 ? content.at(0) : undefined;
  // The same string twice is kept once, also when it is made flat.
  const text = only ? textOf(only) : entry.text + textOf(block);
  const { origin, turn, at, meta, messageId } = entry;
  const extended: Writable<MessageEntry> | Writable<ThoughtEntry> =
    entry.type === 'thought'
      ? { type: 'thought', origin, content, text }
      : { type: 'message', speaker: entry.speaker, origin, content, text };
  if (turn !== undefined) extended.turn = turn;
  if (at !== undefined) extended.at = at;
  if (meta !== undefined) extended.meta = meta;
  if (messageId !== undefined) extended.messageId = messageId;
  return extended;
}

type Writable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] };
