import { type Markup, markup, px } from '../page/markup.ts';
import { FIGURE_WIDTH, figure, legendOf, mark, type Table } from './figure.ts';
import { linearScale, logScale } from './scale.ts';

export interface Curve {
  readonly label: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface CurvesPlot {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly curves: readonly Curve[];
  readonly xName: string;
  readonly yName: string;
  readonly formatX: (value: number) => string;
  readonly formatY: (value: number) => string;
  /** `step`: a value holds until the next, as in a distribution. */
  readonly kind: 'step' | 'line';
  /** Default: as wide as the points, and by orders of magnitude where they span more than one. */
  readonly domainX?: readonly [number, number];
  readonly table: Table;
  readonly note?: string;
}

const HEIGHT = 250;
const [LEFT, RIGHT, TOP, BOTTOM] = [48, 16, 10, 40];
/** More points than this are not seen. */
const MAX_POINTS = 240;

/** One curve for each run, on a scale of 0 to 1 upwards. */
export function curvesPlot(plot: CurvesPlot): Markup {
  const { curves, xName, yName, formatX, formatY, kind } = plot;
  const [least, most] = plot.domainX ?? extent(curves.flatMap(({ points }) => points.map(({ x }) => x)));
  const range = [LEFT, FIGURE_WIDTH - RIGHT] as const;
  const isWide = plot.domainX === undefined && least > 0 && most / least > 15;
  const x = isWide
    ? logScale([least, most], range)
    : linearScale([plot.domainX ? least : Math.min(0, least), most], range);
  const y = linearScale([0, 1], [HEIGHT - BOTTOM, TOP], 4);
  const drawing = [
    y.ticks.map(
      (tick) =>
        markup`<line class="grid" x1="${LEFT}" y1="${px(y.at(tick))}" x2="${FIGURE_WIDTH - RIGHT}" y2="${px(y.at(tick))}"/><text class="tick" text-anchor="end" x="${LEFT - 8}" y="${px(y.at(tick) + 4)}">${formatY(tick)}</text>`,
    ),
    x.ticks.map(
      (tick) =>
        markup`<text class="tick" text-anchor="middle" x="${px(x.at(tick))}" y="${HEIGHT - BOTTOM + 16}">${formatX(tick)}</text>`,
    ),
    markup`<text class="axis" text-anchor="end" x="${FIGURE_WIDTH - RIGHT}" y="${HEIGHT - 6}">${xName}</text><text class="axis" x="${LEFT}" y="${HEIGHT - 6}">${yName}</text>`,
    curves.map(({ points }, run) => {
      const shown = thin(points).map((point) => ({ x: px(x.at(point.x)), y: px(y.at(point.y)) }));
      const first = shown[0];
      if (first === undefined) return undefined;
      const rest = shown
        .slice(1)
        .map((point) => (kind === 'step' ? `H${point.x}V${point.y}` : `L${point.x} ${point.y}`))
        .join('');
      const start = kind === 'step' ? `M${first.x} ${px(y.at(0))}V${first.y}` : `M${first.x} ${first.y}`;
      const middle = shown[Math.floor(shown.length / 2)] ?? first;
      return markup`<path class="line s${run % 8} d${run % 4}" d="${start}${rest}"/>${curves.length > 1 && mark(run, middle.x, middle.y)}`;
    }),
  ];
  const legend = curves.length > 1 ? legendOf(curves.map(({ label }) => label)) : undefined;
  return figure({ ...plot, height: HEIGHT, drawing, ...(legend && { legend }) });
}

function extent(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? [0, 1] : [low, high];
}

/** Evenly chosen points, the first and the last among them. */
function thin<Point>(points: readonly Point[]): readonly Point[] {
  if (points.length <= MAX_POINTS) return points;
  const step = (points.length - 1) / (MAX_POINTS - 1);
  return Array.from({ length: MAX_POINTS }, (_, index) => points[Math.round(index * step)] as Point);
}
