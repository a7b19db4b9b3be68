import type { Spread } from '../../statistics/quantiles.ts';
import { type Markup, markup, px } from '../page/markup.ts';
import { FIGURE_WIDTH, figure, mark, type Table } from './figure.ts';
import { short } from './intervals-plot.ts';
import { linearScale, logScale } from './scale.ts';

export interface BoxesPlot {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly rows: readonly { readonly label: string; readonly spread: Spread; readonly run: number }[];
  readonly format: (value: number) => string;
  readonly table: Table;
  readonly note?: string;
}

const ROW_HEIGHT = 36;
const [LEFT, RIGHT, TOP] = [150, 84, 8];

/** How values of runs are spread: the box holds the middle half, the line all of them, the mark is the mean. */
export function boxesPlot(plot: BoxesPlot): Markup {
  const { rows, format } = plot;
  const bottom = TOP + rows.length * ROW_HEIGHT;
  const least = Math.min(...rows.map(({ spread }) => spread.min));
  const most = Math.max(...rows.map(({ spread }) => spread.max));
  const range = [LEFT, FIGURE_WIDTH - RIGHT] as const;
  const x = least > 0 && most / least > 15 ? logScale([least, most], range) : linearScale([0, most], range, 4);
  const drawing = [
    x.ticks.map(
      (tick) =>
        markup`<line class="grid" x1="${px(x.at(tick))}" y1="${TOP}" x2="${px(x.at(tick))}" y2="${bottom}"/><text class="tick" text-anchor="middle" x="${px(x.at(tick))}" y="${bottom + 16}">${format(tick)}</text>`,
    ),
    rows.map(({ label, spread, run }, index) => {
      const y = TOP + (index + 0.5) * ROW_HEIGHT;
      const [min, p25, p50, p75, max] = [spread.min, spread.p25, spread.p50, spread.p75, spread.max].map((value) =>
        px(x.at(value)),
      ) as [number, number, number, number, number];
      return markup`<text class="label" text-anchor="end" x="${LEFT - 12}" y="${y + 4}">${short(label)}</text><path class="whisker s${run % 8}" d="M${min} ${y}H${p25}M${p75} ${y}H${max}M${min} ${y - 4}V${y + 4}M${max} ${y - 4}V${y + 4}"/><rect class="box s${run % 8}" x="${p25}" y="${y - 9}" width="${Math.max(1, px(p75 - p25))}" height="18" rx="2"/><line class="median s${run % 8}" x1="${p50}" y1="${y - 9}" x2="${p50}" y2="${y + 9}"/>${mark(run, px(x.at(spread.mean)), y, 3)}<text class="value" x="${FIGURE_WIDTH - RIGHT + 12}" y="${y + 4}">${format(spread.p50)}</text>`;
    }),
  ];
  return figure({ ...plot, height: bottom + 26, drawing });
}
