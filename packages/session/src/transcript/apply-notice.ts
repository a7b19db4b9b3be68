import type { NoticeEvent } from '../event.ts';
import { readNoticeMark } from '../notice-mark.ts';
import { appendEntry, findEntry, replaceEntry } from './entries.ts';
import type { Transcript } from './transcript.ts';

/** A notice that has an id takes the place of the one before it. */
export function applyNotice(transcript: Transcript, event: NoticeEvent, at: number | undefined): Transcript {
  const { severity, title, description, meta } = event;
  const told = { type: 'notice' as const, severity, title, ...(description !== undefined && { description }) };
  const mark = readNoticeMark(event);
  const key = mark && `notice ${mark.id}`;
  const position = key === undefined ? undefined : findEntry(transcript, key);
  const before = position === undefined ? undefined : transcript.entries.at(position);
  if (position === undefined || before?.type !== 'notice') return appendEntry(transcript, told, { at, meta, key });
  const { origin, turn, at: began } = before;
  return replaceEntry(transcript, position, {
    ...told,
    origin,
    ...(turn !== undefined && { turn }),
    ...(began !== undefined && { at: began }),
    ...(meta && { meta }),
  });
}
