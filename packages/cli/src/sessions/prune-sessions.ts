import { usageError } from '@parley/host/command-line';
import type { KeptTurns } from '@parley/session/log';
import { formatTable } from '@parley/terminal';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { forgetAnswersIn } from '../permissions/forget-answers.ts';
import { trimIdle, tryAcquire } from '../stores/trim-idle.ts';
import { ArchiveFolder } from './archive/archive-folder.ts';
import { archiveOf } from './archive/export-session.ts';
import { type KeepFlags, readKept } from './kept-turns.ts';
import { pruneStore } from './prune-store.ts';
import type { SavedSession } from './records/saved-session.ts';
import { SessionRecords } from './records/session-records.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_PRUNE_DAYS = 30;

export interface PruneFlags extends SharedFlags, KeepFlags {
  readonly olderThan?: string;
  readonly before?: string;
  readonly store?: string;
}

/** What is to be deleted, and where it is written first. */
interface PrunePlan {
  /** Sessions that were not used since then are deleted; undefined for none. */
  readonly limitMs: number | undefined;
  readonly keep: KeptTurns | undefined;
  readonly archive: ArchiveFolder | undefined;
  readonly isDryRun: boolean;
}

type PrunedSession = Pick<SavedSession, 'id' | 'agent' | 'updatedAtMs' | 'title'>;

interface PruneResult {
  readonly gone: readonly PrunedSession[];
  readonly trimmed: readonly { readonly session: PrunedSession; readonly dropped: number }[];
  readonly left: number;
}

/** Deletes what was not used for long: whole sessions, or with `--keep-turns` and `--keep-days` the oldest turns of each. */
export async function pruneSessions(flags: PruneFlags, context: CliContext): Promise<void> {
  const keep = readKept(flags);
  const hasLimit = flags.olderThan !== undefined || flags.before !== undefined;
  const plan: PrunePlan = {
    limitMs: hasLimit || !keep ? readLimit(flags) : undefined,
    keep,
    archive: flags.archive === undefined ? undefined : new ArchiveFolder(flags.archive, context.cwd),
    isDryRun: flags.dryRun === true,
  };
  const result =
    flags.store === undefined
      ? await pruneRecords(plan, flags, context)
      : await pruneServer(flags.store, plan, context);
  tellPruned(result, plan, context);
}

async function pruneServer(store: string, plan: PrunePlan, { cwd }: CliContext): Promise<PruneResult> {
  const { gone, trimmed, left } = await pruneStore({ ...plan, store, cwd });
  const toSession = ({ principal, ...record }: (typeof gone)[number]): PrunedSession => ({
    ...record,
    agent: principal,
  });
  return {
    gone: gone.map(toSession),
    trimmed: trimmed.map(({ record, dropped }) => ({ session: toSession(record), dropped })),
    left,
  };
}

async function pruneRecords(plan: PrunePlan, flags: PruneFlags, context: CliContext): Promise<PruneResult> {
  const { limitMs, keep, archive, isDryRun } = plan;
  const { places } = await loadConfig(context);
  await using records = new SessionRecords(places);
  const gone: SavedSession[] = [];
  const trimmed: { session: SavedSession; dropped: number }[] = [];
  let left = 0;
  for (const session of await records.list({ hasEmpty: true })) {
    if (flags.agent !== undefined && session.agent !== flags.agent) continue;
    const save = archive && ((): Promise<void> => archiveSaved(records, session, archive));
    if (limitMs !== undefined && session.updatedAtMs < limitMs) {
      const isIdle = session.worker?.isThere !== true;
      if (isIdle && (isDryRun || (await removeIdle(session, records, save)))) gone.push(session);
      else left++;
    } else if (keep) {
      const place = records.logOf(session);
      const done = place && (await trimIdle(place.log, place.id, { keep, isDryRun, beforeTrim: save }));
      if (place && !done) left++;
      else if (done && done.dropped > 0) trimmed.push({ session, dropped: done.dropped });
    }
  }
  if (!isDryRun) for (const session of gone) await forgetAnswersIn(places, session);
  return { gone, trimmed, left };
}

/** Writes a session of this person to a folder. */
export async function archiveSaved(
  records: SessionRecords,
  session: SavedSession,
  archive: ArchiveFolder,
): Promise<void> {
  const place = records.logOf(session);
  const head = place ? await place.log.head(place.id) : 0;
  await archive.add({ id: session.id, head }, () => archiveOf({ records, session }));
}

function tellPruned({ gone, trimmed, left }: PruneResult, plan: PrunePlan, context: CliContext): void {
  const row = ({ id, agent, updatedAtMs, title }: PrunedSession, what: string): string[] => [
    id,
    agent,
    new Date(updatedAtMs).toISOString().slice(0, 10),
    title ?? '',
    ...(plan.keep ? [what] : []),
  ];
  const rows = [
    ...gone.map((session) => row(session, 'all')),
    ...trimmed.map(({ session, dropped }) => row(session, `${dropped} turns`)),
  ];
  context.stdout.write(formatTable(rows));
  const rest = left === 0 ? '' : `; left ${left} in which somebody works`;
  const turns = trimmed.reduce((sum, { dropped }) => sum + dropped, 0);
  const parts = [
    ...(plan.limitMs === undefined ? [] : [`${gone.length} sessions`]),
    ...(plan.keep ? [`${turns} turns of ${trimmed.length} sessions`] : []),
  ];
  context.stderr.write(`${plan.isDryRun ? 'would delete' : 'deleted'} ${parts.join(' and ')}${rest}\n`);
}

/** Nobody can begin a turn in it meanwhile. False when somebody was faster. */
async function removeIdle(
  session: SavedSession,
  records: SessionRecords,
  save: (() => Promise<void>) | undefined,
): Promise<boolean> {
  const place = records.logOf(session);
  const epoch = place && (await tryAcquire(place.log, place.id));
  if (place && epoch === undefined) return false;
  try {
    await save?.();
  } catch (error) {
    if (place && epoch !== undefined) await place.log.release(place.id, { epoch });
    throw error;
  }
  await records.remove(session);
  return true;
}

function readLimit({ olderThan, before }: { readonly olderThan?: string; readonly before?: string }): number {
  if (before !== undefined) {
    const time = Date.parse(before);
    if (Number.isNaN(time)) throw usageError(`--before is a day such as 2026-01-31, not "${before}".`);
    return time;
  }
  const days = Number((olderThan ?? String(DEFAULT_PRUNE_DAYS)).replace(/d$/, ''));
  if (Number.isFinite(days) && days >= 0) return Date.now() - days * DAY_MS;
  throw usageError(`--older-than is a number of days, not "${olderThan}".`);
}
