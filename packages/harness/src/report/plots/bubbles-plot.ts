import { type Markup, markup, px } from '../page/markup.ts';
import { figure, type Table } from './figure.ts';
import { short } from './intervals-plot.ts';
import { linearScale } from './scale.ts';

export interface BubblesPlot {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  /** From 0 to 1 in both directions. */
  readonly bubbles: readonly { readonly x: number; readonly y: number; readonly count: number }[];
  readonly xName: string;
  readonly yName: string;
  readonly format: (value: number) => string;
  readonly table: Table;
  readonly note?: string;
}

const SIZE = 320;
const WIDTH = 560;
const [LEFT, TOP, BOTTOM] = [150, 24, 48];

/** How often two runs got which values on the same task. On the diagonal they agree. */
export function bubblesPlot(plot: BubblesPlot): Markup {
  const { bubbles, xName, yName, format } = plot;
  const side = SIZE - TOP - BOTTOM;
  const x = linearScale([0, 1], [LEFT, LEFT + side], 4);
  const y = linearScale([0, 1], [TOP + side, TOP], 4);
  const most = bubbles.reduce((largest, { count }) => Math.max(largest, count), 10);
  const drawing = [
    x.ticks.map(
      (tick) =>
        markup`<line class="grid" x1="${px(x.at(tick))}" y1="${TOP}" x2="${px(x.at(tick))}" y2="${TOP + side}"/><line class="grid" x1="${LEFT}" y1="${px(y.at(tick))}" x2="${LEFT + side}" y2="${px(y.at(tick))}"/><text class="tick" text-anchor="middle" x="${px(x.at(tick))}" y="${TOP + side + 24}">${format(tick)}</text><text class="tick" text-anchor="end" x="${LEFT - 22}" y="${px(y.at(tick) + 4)}">${format(tick)}</text>`,
    ),
    markup`<line class="reference" x1="${LEFT}" y1="${TOP + side}" x2="${LEFT + side}" y2="${TOP}"/>`,
    bubbles.map(({ x: at, y: up, count }) => {
      const radius = px(4 + 16 * Math.sqrt(count / most));
      const side = up > at ? 'above' : up < at ? 'below' : 'same';
      return markup`<circle class="bubble ${side}" cx="${px(x.at(at))}" cy="${px(y.at(up))}" r="${radius}"><title>${count} ${count === 1 ? 'task' : 'tasks'}: ${format(at)} and ${format(up)}</title></circle>${radius > 10 && markup`<text class="bubble-count" text-anchor="middle" x="${px(x.at(at))}" y="${px(y.at(up) + 4)}">${count}</text>`}`;
    }),
    markup`<text class="axis" text-anchor="middle" x="${LEFT + side / 2}" y="${SIZE - 6}">${short(xName, 36)} →</text><text class="axis" text-anchor="end" x="${LEFT - 22}" y="${TOP - 10}">↑ ${short(yName)}</text>`,
    markup`<text class="tick" x="${LEFT + side + 28}" y="${TOP + 4}">above the line:</text><text class="tick" x="${LEFT + side + 28}" y="${TOP + 20}">${short(yName, 18)} is better</text>`,
  ];
  return figure({ ...plot, width: WIDTH, height: SIZE, drawing });
}
