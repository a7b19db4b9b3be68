import type { ContentBlock } from '@parley/protocol';
import type { MessageChunk, SessionEvent, ThoughtChunk, WholeMessage, WholeThought } from '../event.ts';
import { isCurrent } from './apply-chunk.ts';
import { isOwnPrompt, keyOfWhole } from './apply-whole.ts';
import { appendContent } from './content-list.ts';
import { findEntry } from './entries.ts';
import { List } from './list.ts';
import type { Transcript } from './transcript.ts';

/**
 * A whole message as what it adds to a transcript, so that readers who follow a message piece by piece need not take it back: one that
 * nobody has heard of is told in chunks, one that goes on with the rest of it. Only what replaces something else stays whole.
 */
export function piecesOfWhole(transcript: Transcript, event: WholeMessage | WholeThought): SessionEvent[] {
  const position = findEntry(transcript, keyOfWhole(event));
  const entry = position === undefined ? undefined : transcript.entries.at(position);
  if (position === undefined || (entry?.type !== 'message' && entry?.type !== 'thought'))
    return newMessage(transcript, event);
  const { content, ...withoutContent } = event;
  const meta: SessionEvent[] = event.meta === undefined ? [] : [withoutContent];
  if (!content) return meta;
  const rest = restBehind(entry.content, content);
  if (!rest || (rest.length > 0 && !isCurrent(transcript, position))) return [event];
  return [...rest.map((block) => chunkOf(event, block)), ...meta];
}

function newMessage(transcript: Transcript, event: WholeMessage | WholeThought): SessionEvent[] {
  const { content = [], meta } = event;
  // Our own prompt is no news.
  if (isOwnPrompt(transcript, event)) return [event];
  const [first, ...others] = content;
  if (!first) return meta == null ? [] : [event];
  const begun = chunkOf(event, first);
  return [meta == null ? begun : { ...begun, meta }, ...others.map((block) => chunkOf(event, block))];
}

/** What is new behind what is known; undefined when it is not what was told, with something behind it. */
function restBehind(known: List<ContentBlock>, blocks: readonly ContentBlock[]): ContentBlock[] | undefined {
  let told = List.empty<ContentBlock>();
  for (const block of blocks) told = appendContent(told, block);
  if (told.length < known.length) return undefined;
  const rest: ContentBlock[] = [];
  for (let place = 0; place < told.length; place += 1) {
    const ours = known.at(place);
    const theirs = told.at(place);
    if (!theirs) return undefined;
    if (!ours) rest.push(theirs);
    else if (!isSame(ours, theirs)) {
      const more = place === known.length - 1 ? textBehind(ours, theirs) : undefined;
      if (more === undefined) return undefined;
      rest.push({ type: 'text', text: more });
    }
  }
  return rest;
}

function isSame(ours: ContentBlock, theirs: ContentBlock): boolean {
  if (ours.type === 'text' && theirs.type === 'text' && ours.text !== theirs.text) return false;
  return ours === theirs || JSON.stringify(ours) === JSON.stringify(theirs);
}

/** Text with more than text about it is one block, and does not go on. */
function textBehind(ours: ContentBlock, theirs: ContentBlock): string | undefined {
  if (ours.type !== 'text' || theirs.type !== 'text' || !theirs.text.startsWith(ours.text)) return undefined;
  return isSame(ours, { ...theirs, text: ours.text }) && theirs.annotations == null && theirs._meta == null
    ? theirs.text.slice(ours.text.length)
    : undefined;
}

function chunkOf(event: WholeMessage | WholeThought, content: ContentBlock): MessageChunk | ThoughtChunk {
  const { messageId } = event;
  return event.type === 'whole_thought'
    ? { type: 'thought_chunk', messageId, content }
    : { type: 'message_chunk', speaker: event.speaker, messageId, content };
}
