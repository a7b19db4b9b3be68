import { type Markup, markup, px } from '../page/markup.ts';
import { FIGURE_WIDTH, figure, mark, type Table } from './figure.ts';
import { linearScale } from './scale.ts';

export interface IntervalRow {
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Which run's colour and mark it has. */
  readonly run: number;
  /** Stands at the right end. */
  readonly text: string;
}

export interface IntervalsPlot {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly rows: readonly IntervalRow[];
  readonly domain: readonly [number, number];
  readonly format: (value: number) => string;
  /** A line that the intervals are to be held against. */
  readonly reference?: number;
  readonly table: Table;
  readonly note?: string;
}

const ROW_HEIGHT = 30;
const [LEFT, RIGHT, TOP] = [150, 112, 8];

/** Values with their intervals, one below the other. */
export function intervalsPlot(plot: IntervalsPlot): Markup {
  const { rows, domain, format, reference } = plot;
  const bottom = TOP + rows.length * ROW_HEIGHT;
  const x = linearScale(domain, [LEFT, FIGURE_WIDTH - RIGHT]);
  const drawing = [
    x.ticks.map(
      (tick) =>
        markup`<line class="grid" x1="${px(x.at(tick))}" y1="${TOP}" x2="${px(x.at(tick))}" y2="${bottom}"/><text class="tick" text-anchor="middle" x="${px(x.at(tick))}" y="${bottom + 16}">${format(tick)}</text>`,
    ),
    reference !== undefined &&
      markup`<line class="reference" x1="${px(x.at(reference))}" y1="${TOP}" x2="${px(x.at(reference))}" y2="${bottom}"/>`,
    rows.map(({ label, value, low, high, run, text }, index) => {
      const y = TOP + (index + 0.5) * ROW_HEIGHT;
      const [from, to] = [px(x.at(low)), px(x.at(high))];
      return markup`<text class="label" text-anchor="end" x="${LEFT - 12}" y="${y + 4}">${short(label)}</text><path class="whisker s${run % 8}" d="M${from} ${y}H${to}M${from} ${y - 5}V${y + 5}M${to} ${y - 5}V${y + 5}"/>${mark(run, px(x.at(value)), y, 5)}<text class="value" x="${FIGURE_WIDTH - RIGHT + 12}" y="${y + 4}">${text}</text>`;
    }),
  ];
  return figure({ ...plot, height: bottom + 26, drawing });
}

const MAX_LABEL_CHARACTERS = 20;

export function short(label: string, most: number = MAX_LABEL_CHARACTERS): string {
  return label.length > most ? `${label.slice(0, most - 1)}…` : label;
}
