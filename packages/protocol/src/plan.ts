import type { PlanEntry, SessionUpdate } from './v1/types.gen.ts';

/** One step of a plan: waiting and of medium priority unless said otherwise. */
export function planEntry(content: string, details: Partial<Omit<PlanEntry, 'content'>> = {}): PlanEntry {
  return { content, priority: 'medium', status: 'pending', ...details };
}

/** How much of a plan is done, in whole percent. A plan without entries is done. */
export function planProgress(entries: readonly Pick<PlanEntry, 'status'>[]): number {
  if (entries.length === 0) return 100;
  return Math.round((100 * entriesWithStatus(entries, 'completed').length) / entries.length);
}

export function entriesWithStatus<Entry extends Pick<PlanEntry, 'status'>>(
  entries: readonly Entry[],
  status: PlanEntry['status'],
): Entry[] {
  return entries.filter((entry) => entry.status === status);
}

/** The plan as it stands: each plan update replaces the one before. */
export function latestPlan(updates: Iterable<SessionUpdate>): PlanEntry[] {
  let entries: PlanEntry[] = [];
  for (const update of updates) if (update.sessionUpdate === 'plan') entries = update.entries;
  return entries;
}
