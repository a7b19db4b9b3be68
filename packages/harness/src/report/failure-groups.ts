import type { FailureKind, RunRows } from '../compare/runs/attempt-row.ts';

/** Attempts that failed for what looks like the same reason. */
export interface FailureGroup {
  readonly kind: FailureKind;
  /** The reason of the first of them. */
  readonly detail: string;
  readonly attempts: readonly FailedAttempt[];
}

export interface FailedAttempt {
  /** Which run, counted from zero. */
  readonly run: number;
  readonly task: string;
  readonly number: number;
  readonly detail: string;
}

/** Groups failures by their kind and by what their reasons have in common; largest first, faults of the evaluation last. */
export function groupFailures(runs: readonly RunRows[]): readonly FailureGroup[] {
  const groups = new Map<string, { kind: FailureKind; detail: string; attempts: FailedAttempt[] }>();
  for (const [run, { cases }] of runs.entries()) {
    for (const { id, attempts } of cases.values()) {
      for (const { cause, number } of attempts) {
        if (cause === undefined) continue;
        const key = `${cause.kind} ${patternOf(cause.detail, id)}`;
        const group = groups.get(key) ?? { kind: cause.kind, detail: cause.detail, attempts: [] };
        groups.set(key, group);
        group.attempts.push({ run, task: id, number, detail: cause.detail });
      }
    }
  }
  const isFault = ({ kind }: FailureGroup): number => Number(kind === 'grader' || kind === 'workspace');
  return [...groups.values()].sort((a, b) => isFault(a) - isFault(b) || b.attempts.length - a.attempts.length);
}

/** A reason without what differs from task to task: numbers, names in quotes, paths, and the task's own id. */
function patternOf(detail: string, id: string): string {
  return detail
    .replaceAll(id, '<task>')
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '<name>')
    .replaceAll(/(?:[\w.-]*[/\\])+[\w.-]+/g, '<path>')
    .replaceAll(/\d+(?:\.\d+)?/g, '#')
    .toLowerCase();
}
