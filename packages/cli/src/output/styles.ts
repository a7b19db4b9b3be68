import type { CliContext } from '../context.ts';

/** How pieces of text are set apart; each function leaves the text alone where colours are off. */
export interface Styles {
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

export function createStyles(hasColor: boolean): Styles {
  const paint =
    (code: number, end: number) =>
    (text: string): string =>
      hasColor && text !== '' ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  return {
    dim: paint(2, 22),
    bold: paint(1, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}

/** Whether to colour what is written to a stream: `--no-color`, `NO_COLOR`, `FORCE_COLOR`, `TERM=dumb`, then the stream. */
export function hasColor(
  { env }: CliContext,
  stream: { readonly isTTY?: boolean },
  { color = true }: { readonly color?: boolean | undefined } = {},
): boolean {
  if (!color || env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0';
  return stream.isTTY === true && env.TERM !== 'dumb';
}
