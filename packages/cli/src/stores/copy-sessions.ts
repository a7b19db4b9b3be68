import { resolve } from 'node:path';
import { usageError } from '@parley/host/command-line';
import { type LoggedEvent, type SessionLog, type SessionRecord, type SessionStore, StoreError } from '@parley/store';
import type { CliContext } from '../context.ts';
import { openStorePlace, readStorePlace, requireStorePlace, showStorePlace } from './store-place.ts';

export interface CopyFlags {
  readonly from: string;
  readonly to: string;
  readonly json?: boolean;
}

const PAGE = 500;

interface Counts {
  copied: number;
  events: number;
  /** Sessions that are there already. */
  known: number;
  /** Sessions whose owner was at work; copied as far as they had come. */
  held: number;
}

/**
 * Copies all sessions of one store to another: from the file of one machine to the database of many, or back. A session is there with
 * all of its events or not at all, and one that is there is left alone, so that a copy that broke off is simply made again.
 */
export async function copySessions(flags: CopyFlags, { cwd, stdout, stderr }: CliContext): Promise<void> {
  const from = requireStorePlace(flags.from, cwd);
  const to = readStorePlace(flags.to, (path) => resolve(cwd, path));
  if (from === to) throw usageError('--from and --to name the same store.');
  await using source = openStorePlace(from);
  await using target = openStorePlace(to);
  const counts: Counts = { copied: 0, events: 0, known: 0, held: 0 };
  for (const principal of await source.principals()) await copyPrincipal(source, target, principal, counts);
  if (flags.json) {
    stdout.write(`${JSON.stringify({ schema: 1, from: showStorePlace(from), to: showStorePlace(to), ...counts })}\n`);
    return;
  }
  stdout.write(`${counts.copied} sessions with ${counts.events} events are in ${showStorePlace(to)} now.\n`);
  if (counts.known > 0) stderr.write(`${counts.known} were there before and were left as they are.\n`);
  if (counts.held > 0) {
    stderr.write(
      `${counts.held} were in use and may have gone on since; stop what uses them, delete the copies, copy again.\n`,
    );
  }
}

async function copyPrincipal(
  source: SessionStore,
  target: SessionStore,
  principal: string,
  counts: Counts,
): Promise<void> {
  const [from, to] = [source.log(principal), target.log(principal)];
  for (let cursor: string | undefined; ; ) {
    const page = await from.list({ archived: 'include', limit: PAGE, ...(cursor !== undefined && { cursor }) });
    for (const record of page.sessions) await copySession(from, to, record, counts);
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

async function copySession(from: SessionLog, to: SessionLog, record: SessionRecord, counts: Counts): Promise<void> {
  const { id, cwd, title, metadata, isHeld, createdAtMs, updatedAtMs, isArchived, parentId } = record;
  if (await to.get(id)) {
    counts.known += 1;
    return;
  }
  const events: LoggedEvent[] = [];
  for await (const event of from.read(id)) events.push(event);
  // The session may be trimmed while it is read; then the numbers begin where they begin now.
  const trimmedTo = (events[0]?.seq ?? 1) > 1 ? (events[0]?.seq ?? 0) : record.trimmedTo;
  const copied = { createdAtMs, updatedAtMs, isArchived, parentId, trimmedTo };
  try {
    await to.create({ id, cwd, ...(title !== null && { title }), metadata, events, copied });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'session_exists') throw error;
    counts.known += 1;
    return;
  }
  counts.copied += 1;
  counts.events += events.length;
  if (isHeld) counts.held += 1;
}
