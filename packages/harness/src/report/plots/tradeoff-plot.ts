import { type Markup, markup, px } from '../page/markup.ts';
import { FIGURE_WIDTH, figure, mark, type Table } from './figure.ts';
import { short } from './intervals-plot.ts';
import { linearScale } from './scale.ts';

export interface TradeoffPoint {
  readonly label: string;
  readonly run: number;
  /** What it takes: less is better. */
  readonly x: number;
  /** What it gives, from 0 to 1: more is better. */
  readonly y: number;
  readonly low: number;
  readonly high: number;
}

export interface TradeoffPlot {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly points: readonly TradeoffPoint[];
  readonly xName: string;
  readonly yName: string;
  readonly formatX: (value: number) => string;
  readonly formatY: (value: number) => string;
  readonly table: Table;
  readonly note?: string;
}

const HEIGHT = 260;
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 90, 14, 44];

/** What runs give for what they take. The line joins those that no other beats in both. */
export function tradeoffPlot(plot: TradeoffPlot): Markup {
  const { points, xName, yName, formatX, formatY } = plot;
  const most = points.reduce((highest, { x }) => Math.max(highest, x), 0);
  const x = linearScale([0, most * 1.08], [LEFT, FIGURE_WIDTH - RIGHT]);
  const y = linearScale([0, 1], [HEIGHT - BOTTOM, TOP], 4);
  const front = unbeaten(points).map((point) => `${px(x.at(point.x))} ${px(y.at(point.y))}`);
  const drawing = [
    y.ticks.map(
      (tick) =>
        markup`<line class="grid" x1="${LEFT}" y1="${px(y.at(tick))}" x2="${FIGURE_WIDTH - RIGHT}" y2="${px(y.at(tick))}"/><text class="tick" text-anchor="end" x="${LEFT - 8}" y="${px(y.at(tick) + 4)}">${formatY(tick)}</text>`,
    ),
    x.ticks.map(
      (tick) =>
        markup`<text class="tick" text-anchor="middle" x="${px(x.at(tick))}" y="${HEIGHT - BOTTOM + 16}">${formatX(tick)}</text>`,
    ),
    front.length > 1 && markup`<path class="line front" d="M${front.join('L')}"/>`,
    points.map(({ label, run, x: takes, y: gives, low, high }) => {
      const [at, up] = [px(x.at(takes)), px(y.at(gives))];
      return markup`<path class="whisker s${run % 8}" d="M${at} ${px(y.at(low))}V${px(y.at(high))}"/>${mark(run, at, up, 6)}<text class="label" x="${at + 12}" y="${up + 4}">${short(label, 16)}</text>`;
    }),
    markup`<text class="axis" text-anchor="end" x="${FIGURE_WIDTH - RIGHT}" y="${HEIGHT - 6}">${xName} →</text><text class="axis" x="${LEFT}" y="${HEIGHT - 6}">↑ ${yName}</text>`,
  ];
  return figure({ ...plot, height: HEIGHT, drawing });
}

/** From the cheapest on, each that gives more than all before it. */
export function unbeaten(points: readonly TradeoffPoint[]): readonly TradeoffPoint[] {
  let best = Number.NEGATIVE_INFINITY;
  return points
    .toSorted((a, b) => a.x - b.x || b.y - a.y)
    .filter(({ y }) => {
      if (y <= best) return false;
      best = y;
      return true;
    });
}
