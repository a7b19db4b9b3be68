import { shellLine } from '@parley/host/terminal';
import { loadConfig } from '../config/load-config.ts';
import type { CliContext } from '../context.ts';
import { CliError, usageError } from '../errors.ts';
import { formatTable } from '../output/table.ts';
import { readRunSettings } from '../run/settings/run-settings.ts';
import type { SharedFlags } from '../run/settings/shared-flags.ts';
import { withAgent } from '../run/with-session.ts';
import { pruneStore } from '../stores/prune-store.ts';
import { requireSession, type SessionFlags } from './choice/choose-session.ts';
import { findSession } from './choice/find-session.ts';
import { RecordOwner } from './records/record-owner.ts';
import { isOwn, type SavedSession } from './records/saved-session.ts';
import { SessionRecords } from './records/session-records.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_PRUNE_DAYS = 30;

/** Hides a session; its name is free again. */
export async function closeSession(flags: SessionFlags, context: CliContext): Promise<void> {
  await using chosen = await requireSession(flags, context);
  await chosen.records.close(chosen.session);
  context.stdout.write(`closed ${chosen.session.id}\n`);
}

/** Deletes sessions here and, when asked to, in their agents. */
export async function deleteSessions(
  flags: SharedFlags & { readonly words: readonly string[]; readonly fromAgent?: boolean },
  context: CliContext,
): Promise<void> {
  const { places } = await loadConfig(context);
  await using records = new SessionRecords(places);
  const sessions = await records.list();
  const chosen = flags.words.map((word) => findSession(sessions, word, { cwd: context.cwd, agent: flags.agent }));
  for (const session of chosen) {
    const { worker } = session;
    if (worker?.isThere) {
      throw new CliError('not_available', `Another process works in the session ${session.id}: ${worker.name}.`, {
        next: [shellLine`parley cancel -s ${session.id}`],
      });
    }
    if (flags.fromAgent && !isOwn(session)) await deleteFromAgent(session, flags, context);
    await records.remove(session);
    context.stdout.write(`deleted ${session.id}\n`);
  }
}

async function deleteFromAgent(session: SavedSession, flags: SharedFlags, context: CliContext): Promise<void> {
  const { agentSessionId, agent, cwd } = session;
  if (agentSessionId === undefined) return;
  const settings = await readRunSettings({ ...flags, agent, cwd }, context);
  await withAgent({ settings }, context, async (connection) => {
    if (!connection.offers.deleteSession) {
      throw new CliError(
        'not_available',
        `${agent} cannot delete sessions; without --from-agent it is deleted here only.`,
      );
    }
    await connection.deleteSession(agentSessionId);
  });
}

export interface PruneFlags extends SharedFlags {
  readonly olderThan?: string;
  readonly before?: string;
  readonly dryRun?: boolean;
  readonly store?: string;
}

/** Deletes what was not used for long. */
export async function pruneSessions(flags: PruneFlags, context: CliContext): Promise<void> {
  const limit = readLimit(flags);
  if (flags.store !== undefined) {
    const isDryRun = flags.dryRun === true;
    const { gone, left } = await pruneStore({ store: flags.store, cwd: context.cwd, limitMs: limit, isDryRun });
    tellPruned(
      gone.map(({ principal, ...session }) => ({ ...session, agent: principal })),
      left,
      flags,
      context,
    );
    return;
  }
  const { places } = await loadConfig(context);
  await using records = new SessionRecords(places);
  const old: SavedSession[] = [];
  let left = 0;
  for (const session of await records.list({ hasEmpty: true })) {
    const { updatedAtMs, agent } = session;
    if (updatedAtMs >= limit || (flags.agent !== undefined && agent !== flags.agent)) continue;
    const isIdle = session.worker?.isThere !== true;
    if (isIdle && (flags.dryRun || (await removeIdle(session, records)))) old.push(session);
    else left++;
  }
  tellPruned(old, left, flags, context);
}

type PrunedSession = Pick<SavedSession, 'id' | 'agent' | 'updatedAtMs' | 'title'>;

function tellPruned(gone: readonly PrunedSession[], left: number, { dryRun }: PruneFlags, context: CliContext): void {
  context.stdout.write(
    formatTable(
      gone.map(({ id, agent, updatedAtMs, title }) => [
        id,
        agent,
        new Date(updatedAtMs).toISOString().slice(0, 10),
        title ?? '',
      ]),
    ),
  );
  const rest = left === 0 ? '' : `; left ${left} in which somebody works`;
  context.stderr.write(`${dryRun ? 'would delete' : 'deleted'} ${gone.length} sessions${rest}\n`);
}

/** Nobody can begin a turn in it meanwhile. False when somebody was faster. */
async function removeIdle(session: SavedSession, records: SessionRecords): Promise<boolean> {
  if (session.isRecorded && !(await RecordOwner.tryOwn(records, session))) return false;
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
