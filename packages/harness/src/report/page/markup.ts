import { escapeMarkup } from '@parley/host/markup';

/** HTML or SVG that may be put into a page as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

export type Part = Markup | string | number | undefined | false | readonly Part[];

/** A template whose values are escaped, unless they are markup themselves: `markup\`<p>${whatever}</p>\``. */
export function markup(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  let text = strings[0] ?? '';
  for (const [index, value] of values.entries()) text += write(value) + (strings[index + 1] ?? '');
  return new Markup(text);
}

function write(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeMarkup(part);
  return typeof part === 'number' ? String(part) : part.map(write).join('');
}

/** Text that leads somewhere, where there is something to lead to. */
export function linked(href: string | undefined, text: Part): Markup {
  return href === undefined ? markup`<span>${text}</span>` : markup`<a href="${href}">${text}</a>`;
}

/** Numbers in drawings: two digits are less than a pixel. */
export function px(value: number): number {
  return Math.round(value * 100) / 100;
}
