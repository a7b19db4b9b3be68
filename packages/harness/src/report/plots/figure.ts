import { type Markup, markup, type Part } from '../page/markup.ts';

export interface Figure {
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  /** What the picture shows, for those who do not see it. */
  readonly says: string;
  readonly width?: number;
  readonly height: number;
  readonly drawing: Part;
  readonly legend?: Part;
  /** Everything that is drawn, as numbers. */
  readonly table: Table;
  /** How the numbers came about. */
  readonly note?: string;
}

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly Part[])[];
}

export const FIGURE_WIDTH = 560;

/** A plot: a picture with title and description, what its marks mean, and its numbers as a table beneath. */
export function figure({
  id,
  title,
  says,
  width = FIGURE_WIDTH,
  height,
  drawing,
  legend,
  table,
  note,
}: Figure): Markup {
  return markup`<figure class="plot"><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}t ${id}d"><title id="${id}t">${title}</title><desc id="${id}d">${says}</desc>${drawing}</svg>
${legend}${note !== undefined && markup`<p class="note">${note}</p>`}
<details class="numbers"><summary>Numbers</summary>${dataTable(table, title)}</details></figure>`;
}

export function dataTable({ header, rows }: Table, caption: string, className = 'data'): Markup {
  return markup`<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table class="${className}"><thead><tr>${header.map((cell) => markup`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${rows.map(
    ([first, ...rest]) =>
      markup`<tr><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`,
  )}</tbody></table></div>`;
}

/** The marks of runs differ in colour and in form. */
export function legendOf(labels: readonly string[]): Markup {
  return markup`<ul class="legend">${labels.map(
    (label, index) =>
      markup`<li><svg viewBox="0 0 26 12" width="26" height="12" aria-hidden="true"><line class="line s${index % 8}" x1="0" y1="6" x2="26" y2="6"/>${mark(index, 13, 6)}</svg>${label}</li>`,
  )}</ul>`;
}

/** A mark for a run: disc, square, diamond, triangle, and so on. */
export function mark(run: number, x: number, y: number, size = 4): Markup {
  const name = `mark s${run % 8}`;
  const at = (dx: number, dy: number): string => `${round(x + dx * size)},${round(y + dy * size)}`;
  switch (run % 4) {
    case 0:
      return markup`<circle class="${name}" cx="${round(x)}" cy="${round(y)}" r="${size}"/>`;
    case 1:
      return markup`<rect class="${name}" x="${round(x - size * 0.9)}" y="${round(y - size * 0.9)}" width="${round(size * 1.8)}" height="${round(size * 1.8)}"/>`;
    case 2:
      return markup`<polygon class="${name}" points="${at(0, -1.3)} ${at(1.3, 0)} ${at(0, 1.3)} ${at(-1.3, 0)}"/>`;
    default:
      return markup`<polygon class="${name}" points="${at(0, -1.2)} ${at(1.2, 1)} ${at(-1.2, 1)}"/>`;
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
