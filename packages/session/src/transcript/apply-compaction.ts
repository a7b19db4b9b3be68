import type { ContentBlock } from '@parley/protocol';
import type { CompactionChunk, CompactionEvent } from '../event.ts';
import { appendContent, textOf } from './content-list.ts';
import { appendEntry, findEntry, replaceEntry } from './entries.ts';
import type { CompactionEntry } from './entry.ts';
import { List } from './list.ts';
import type { Transcript } from './transcript.ts';

export function applyCompaction(transcript: Transcript, event: CompactionEvent, at: number | undefined): Transcript {
  const { compactionId, status, summary, error } = event;
  const fields = {
    status,
    ...(summary && { summary: List.from(summary), text: summary.map(textOf).join('') }),
    ...(error !== undefined && { error }),
  };
  return upsert(transcript, { compactionId, at, meta: event.meta }, (entry) => ({ ...entry, ...fields }));
}

export function applyCompactionChunk(
  transcript: Transcript,
  event: CompactionChunk,
  at: number | undefined,
): Transcript {
  return upsert(transcript, { compactionId: event.compactionId, at, meta: event.meta }, (entry) => ({
    ...entry,
    summary: appendContent(entry.summary, event.content),
    text: entry.text + textOf(event.content),
  }));
}

interface Place {
  readonly compactionId: string;
  readonly at: number | undefined;
  readonly meta: CompactionEvent['meta'];
}

type Fields = Omit<CompactionEntry, 'origin' | 'turn' | 'at' | 'meta'>;

function upsert(
  transcript: Transcript,
  { compactionId, at, meta }: Place,
  change: (entry: Fields) => Fields,
): Transcript {
  const key = `compaction ${compactionId}`;
  const position = findEntry(transcript, key);
  const known = position === undefined ? undefined : transcript.entries.at(position);
  if (position !== undefined && known?.type === 'compaction') {
    return replaceEntry(transcript, position, { ...known, ...change(known) });
  }
  const summary = List.empty<ContentBlock>();
  const fresh: Fields = { type: 'compaction', compactionId, status: 'in_progress', summary, text: '' };
  return appendEntry(transcript, change(fresh), { at, meta, key });
}
