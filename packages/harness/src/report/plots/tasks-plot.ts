import { type Markup, markup, px } from '../page/markup.ts';
import { FIGURE_WIDTH, figure, legendOf, mark, type Table } from './figure.ts';
import { short } from './intervals-plot.ts';
import { linearScale } from './scale.ts';

export interface TasksPlot {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly labels: readonly string[];
  /** For each task one value a run, from 0 to 1. */
  readonly tasks: readonly {
    readonly id: string;
    readonly values: readonly (number | undefined)[];
  }[];
  readonly format: (value: number) => string;
  readonly table: Table;
  readonly note?: string;
}

const ROW_HEIGHT = 22;
const [LEFT, RIGHT, TOP] = [190, 24, 8];

/** Every task with a mark for each run, and a line from the worst to the best. */
export function tasksPlot(plot: TasksPlot): Markup {
  const { tasks, labels, format } = plot;
  const bottom = TOP + tasks.length * ROW_HEIGHT;
  const x = linearScale([0, 1], [LEFT, FIGURE_WIDTH - RIGHT], 4);
  const drawing = [
    x.ticks.map(
      (tick) =>
        markup`<line class="grid" x1="${px(x.at(tick))}" y1="${TOP}" x2="${px(x.at(tick))}" y2="${bottom}"/><text class="tick" text-anchor="middle" x="${px(x.at(tick))}" y="${bottom + 16}">${format(tick)}</text>`,
    ),
    tasks.map(({ id, values }, row) => {
      const y = TOP + (row + 0.5) * ROW_HEIGHT;
      const known = values.filter((value) => value !== undefined);
      return markup`<text class="label" text-anchor="end" x="${LEFT - 14}" y="${y + 4}">${short(id, 26)}</text>${known.length > 1 && markup`<line class="span" x1="${px(x.at(Math.min(...known)))}" y1="${y}" x2="${px(x.at(Math.max(...known)))}" y2="${y}"/>`}${values.map(
        (value, run) => value !== undefined && mark(run, px(x.at(value)), y),
      )}`;
    }),
  ];
  const legend = labels.length > 1 ? legendOf(labels) : undefined;
  return figure({ ...plot, height: bottom + 26, drawing, ...(legend && { legend }) });
}
