import type { PlanEntry, PlanRecord } from '@parley/session';
import { cleanLine, clip, type Line, type Span, STYLES, withPrefix, wrapWords } from '@parley/terminal';
import type { ViewOptions } from './view-options.ts';

/** Where the agent is in its plan, in one line. */
export function viewPlanProgress(plan: readonly PlanEntry[], options: ViewOptions & { readonly spin: number }): Line[] {
  if (plan.length === 0) return [];
  const done = plan.filter(({ status }) => status === 'completed').length;
  const current =
    plan.find(({ status }) => status === 'in_progress') ?? plan.find(({ status }) => status === 'pending');
  const line: Span[] = [{ text: `  Plan ${done}/${plan.length}`, style: STYLES.bold }];
  if (current) line.push({ text: `  ${markOf(current, options)} ${cleanLine(current.content)}` });
  return [clip(line, options.width)];
}

/** The whole plan, as it stays in the scrollback. Its id is told where there are several. */
export function viewPlan({ planId, entries: plan, document }: PlanRecord, options: PlanViewOptions): Line[] {
  const room = Math.max(1, options.width - 4);
  const entries = plan.flatMap((entry) => {
    const isDone = entry.status === 'completed' || entry.status === 'cancelled';
    const text: Line = [{ text: cleanLine(entry.content), style: isDone ? STYLES.dim : undefined }];
    return withPrefix(wrapWords(text, room), [{ text: `  ${markOf(entry, { ...options, spin: 0 })} ` }]);
  });
  const name = options.isOneOfMany && planId !== undefined ? ` ${cleanLine(planId)}` : '';
  return [[{ text: `  Plan${name}`, style: STYLES.bold }], ...entries, ...viewDocument(document, room)];
}

export interface PlanViewOptions extends ViewOptions {
  /** There are other plans, from which this one must be told. */
  readonly isOneOfMany?: boolean;
}

function viewDocument(document: PlanRecord['document'], room: number): Line[] {
  if (!document) return [];
  const rows = 'uri' in document ? [document.uri] : document.markdown.trimEnd().split('\n');
  return withPrefix(
    rows.flatMap((row) => wrapWords([{ text: cleanLine(row) }], room)),
    [{ text: '    ' }],
  );
}

function markOf({ status }: PlanEntry, { marks, spin }: ViewOptions & { readonly spin: number }): string {
  if (status === 'completed') return marks.done;
  if (status === 'cancelled') return marks.cancelled;
  return status === 'in_progress' ? (marks.running[spin % marks.running.length] ?? '') : marks.pending;
}
