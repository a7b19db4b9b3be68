import { taskScore } from '../../compare/runs/task-values.ts';
import { percent } from '../../compare/wording.ts';
import type { ReportModel } from '../model.ts';
import type { Markup } from '../page/markup.ts';
import { bubblesPlot } from '../plots/bubbles-plot.ts';
import { curvesPlot } from '../plots/curves-plot.ts';
import { tasksPlot } from '../plots/tasks-plot.ts';

/** More tasks than this are drawn as curves instead of one by one. */
const MAX_TASK_ROWS = 30;
/** How many runs are drawn against the baseline. */
const MAX_AGAINST = 4;
/** How many tasks the table beneath a plot has. */
const MAX_TABLE_ROWS = 200;

/** How hard the tasks are, and who solves them. */
export function scoresByTask({ runs, tasks }: ReportModel): Markup | undefined {
  const labels = runs.map(({ label }) => label);
  const found = tasks
    .map(({ id, rows }) => ({
      id,
      values: rows.map((row) => row && taskScore(row)),
    }))
    .filter(({ values }) => values.some((value) => value !== undefined));
  if (found.length === 0) return undefined;
  const average = (values: readonly (number | undefined)[]): number => {
    const known = values.filter((value) => value !== undefined);
    return known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const sorted = found.map((task) => ({ ...task, mean: average(task.values) })).sort((a, b) => a.mean - b.mean);
  const shown = sorted.slice(0, MAX_TABLE_ROWS);
  const table = {
    header: ['task', ...labels],
    rows: shown.map(({ id, values }) => [id, ...values.map((value) => (value === undefined ? '–' : value.toFixed(2)))]),
  };
  const rest =
    sorted.length > shown.length
      ? `The table has the ${shown.length} hardest tasks; the list of tasks has all.`
      : undefined;
  if (sorted.length <= MAX_TASK_ROWS) {
    return tasksPlot({
      id: 'scores',
      title: 'Score by task',
      says: `${sorted.length} tasks, hardest first. The hardest is ${sorted[0]?.id ?? ''}.`,
      labels,
      tasks: sorted,
      format: (value) => String(value),
      table,
      note: 'Mean score over the attempts, hardest task first.',
    });
  }
  const curves = runs.map(({ label }, run) => {
    const values = found.flatMap(({ values }) => values[run] ?? []).sort((a, b) => a - b);
    return { label, points: values.map((value, index) => ({ x: (index + 1) / values.length, y: value })) };
  });
  return curvesPlot({
    id: 'scores',
    title: 'Score by task',
    says: `${found.length} tasks, sorted by their score in each run: the further left a curve rises, the more tasks are solved.`,
    curves,
    xName: 'tasks, hardest first →',
    yName: '↑ score',
    formatX: percent,
    formatY: (value) => String(value),
    kind: 'line',
    domainX: [0, 1],
    table,
    ...(rest !== undefined && { note: rest }),
  });
}

/** The baseline against each other run, task by task. */
export function runAgainstRun({ runs, tasks, baseline }: ReportModel): readonly Markup[] {
  const base = runs.findIndex(({ label }) => label === baseline);
  return runs
    .map(({ label }, run) => ({ label, run }))
    .filter(({ run }) => run !== base)
    .slice(0, MAX_AGAINST)
    .flatMap(({ label, run }) => {
      const counts = new Map<string, { x: number; y: number; count: number }>();
      for (const { rows } of tasks) {
        const [first, second] = [rows[base], rows[run]];
        const [x, y] = [first && taskScore(first), second && taskScore(second)];
        if (x === undefined || y === undefined) continue;
        const near = { x: Math.round(x * 20) / 20, y: Math.round(y * 20) / 20 };
        const key = `${near.x} ${near.y}`;
        counts.set(key, { ...near, count: (counts.get(key)?.count ?? 0) + 1 });
      }
      const bubbles = [...counts.values()].sort((a, b) => b.count - a.count);
      if (bubbles.length === 0) return [];
      const sum = (test: (bubble: (typeof bubbles)[number]) => boolean): number =>
        bubbles.filter(test).reduce((total, bubble) => total + bubble.count, 0);
      const [above, below, same] = [sum(({ x, y }) => y > x), sum(({ x, y }) => y < x), sum(({ x, y }) => y === x)];
      return [
        bubblesPlot({
          id: `against-${run}`,
          title: `${label} against ${baseline}`,
          says: `Scores of the same tasks: ${label} is better on ${above}, ${baseline} on ${below}, and ${same} are the same.`,
          bubbles,
          xName: baseline,
          yName: label,
          format: (value) => String(Number(value.toFixed(2))),
          table: {
            header: [baseline, label, 'tasks'],
            rows: bubbles.map(({ x, y, count: times }) => [x.toFixed(2), y.toFixed(2), String(times)]),
          },
          note: `Scores of the same tasks: ${label} better on ${above}, ${baseline} on ${below}, the same on ${same}.`,
        }),
      ];
    });
}
