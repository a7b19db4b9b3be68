import { paintText } from './paint.ts';
import { STYLES } from './styled-text.ts';

/** Sets pieces of text apart, in the looks of the chat; each function leaves the text alone where colours are off. */
export type Styles = { readonly [Name in (typeof NAMES)[number]]: (text: string) => string };

const NAMES = ['dim', 'bold', 'bad', 'good', 'warning', 'active'] as const;

export function createStyles(hasColor: boolean): Styles {
  const painter = (name: (typeof NAMES)[number]) => (text: string) => (hasColor ? paintText(text, STYLES[name]) : text);
  return Object.fromEntries(NAMES.map((name) => [name, painter(name)])) as Styles;
}

/** Whether to colour what is written to a stream: `--no-color`, `NO_COLOR`, `FORCE_COLOR`, `TERM=dumb`, then the stream. */
export function hasColor(
  { env }: { readonly env: Readonly<Record<string, string | undefined>> },
  stream: { readonly isTTY?: boolean },
  { color = true }: { readonly color?: boolean | undefined } = {},
): boolean {
  if (!color || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0';
  return stream.isTTY === true && env.TERM !== 'dumb';
}
