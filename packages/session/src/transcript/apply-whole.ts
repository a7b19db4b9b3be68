import type { ContentBlock } from '@parley/protocol';
import type { WholeMessage, WholeThought } from '../event.ts';
import { appendContent, textOf } from './content-list.ts';
import { appendEntry, findEntry, replaceEntry } from './entries.ts';
import type { MessageEntry, ThoughtEntry } from './entry.ts';
import { List } from './list.ts';
import { getOwnPrompt, nameOwnPrompt } from './own-prompt.ts';
import { patchMeta } from './patch-meta.ts';
import type { Transcript } from './transcript.ts';

/** Puts a whole message in the place of what was told of it before, or at the end when it is new. */
export function applyWhole(
  transcript: Transcript,
  event: WholeMessage | WholeThought,
  at: number | undefined,
): Transcript {
  const key = keyOfWhole(event);
  const position = findEntry(transcript, key);
  const known = position === undefined ? undefined : transcript.entries.at(position);
  if (position !== undefined && (known?.type === 'message' || known?.type === 'thought')) {
    const { meta: before, ...entry } = known;
    const meta = patchMeta(before, event.meta);
    return replaceEntry(transcript, position, {
      ...entry,
      ...(event.content && said(event.content)),
      ...(meta && { meta }),
    });
  }
  const { messageId } = event;
  const words = said(event.content ?? []);
  if (isOwnPrompt(transcript, event)) return nameOwnPrompt(transcript, messageId);
  const entry =
    event.type === 'whole_thought'
      ? ({ type: 'thought', messageId, ...words } as const)
      : ({ type: 'message', speaker: event.speaker, messageId, ...words } as const);
  const appended = appendEntry(transcript, entry, { at, meta: patchMeta(undefined, event.meta), key });
  const isUsers = event.type === 'whole_message' && event.speaker === 'user';
  if (!isUsers) return appended;
  return { ...appended, folding: { ...appended.folding, lastUserEntry: transcript.entries.length } };
}

export function keyOfWhole(event: WholeMessage | WholeThought): string {
  return `${event.type === 'whole_thought' ? 'thought' : event.speaker} ${event.messageId}`;
}

/** The latest state of the message or thought that an event tells of. */
export function getMessage(
  transcript: Transcript,
  event: WholeMessage | WholeThought,
): MessageEntry | ThoughtEntry | undefined {
  const position = findEntry(transcript, keyOfWhole(event));
  const entry = position === undefined ? undefined : transcript.entries.at(position);
  return entry?.type === 'message' || entry?.type === 'thought' ? entry : undefined;
}

function said(blocks: readonly ContentBlock[]): { readonly content: List<ContentBlock>; readonly text: string } {
  let content = List.empty<ContentBlock>();
  let text = '';
  for (const block of blocks) {
    content = appendContent(content, block);
    text += textOf(block);
  }
  return { content, text };
}

/** Whether it is our own prompt that the agent tells back, for the first time. */
export function isOwnPrompt(transcript: Transcript, event: WholeMessage | WholeThought): boolean {
  if (event.type !== 'whole_message' || event.speaker !== 'user') return false;
  const prompt = getOwnPrompt(transcript);
  const text = (event.content ?? []).map(textOf).join('');
  return prompt !== undefined && prompt.messageId === undefined && prompt.text.trim() === text.trim();
}
