import { foregroundIn, type Theme } from '../theme/theme.ts';
import { cleanLine } from './clean-text.ts';
import type { Line, Style } from './styled-text.ts';

export interface PaintOptions {
  /** False under `NO_COLOR`: bold, dim and underlined stay, colours go. */
  readonly hasColor: boolean;
  /** False for pipes and files: no sequences at all, not even for bold. Default: true. */
  readonly isStyled?: boolean;
  /** The terminal shows nothing but ASCII, so signs become the nearest that it has. Default: false. */
  readonly isAscii?: boolean;
  /** What the terminal looks like. Default: dark. */
  readonly theme?: Theme | undefined;
}

/**
 * The line as bytes for the terminal. All text of a screen passes here, and whatever in it could steer the terminal is
 * dropped here: no agent can move the cursor, set the title, or draw something that looks like a question of ours.
 */
export function paint(line: Line, { hasColor, isStyled = true, isAscii = false, theme }: PaintOptions): string {
  let painted = '';
  let current = '';
  for (const { text, style } of line) {
    if (text === '') continue;
    const wanted = style && isStyled ? parametersOf(style, hasColor, theme) : '';
    if (wanted !== current) {
      painted += wanted === '' ? RESET : current === '' ? `${CSI}${wanted}m` : `${CSI}0;${wanted}m`;
      current = wanted;
    }
    const clean = cleanLine(text);
    painted += isAscii ? clean.replace(SIGNS, (sign) => NEAREST[sign] ?? sign) : clean;
  }
  return current === '' ? painted : painted + RESET;
}

/** Text in a style, which may have several lines and is clean already. */
export function paintText(text: string, style: Style): string {
  const parameters = parametersOf(style, true);
  return text === '' || parameters === '' ? text : `${CSI}${parameters}m${text}${RESET}`;
}

/** As wide as what they stand for, so that everything keeps its place. */
const NEAREST: Readonly<Record<string, string>> = {
  '·': '|',
  '…': '~',
  '•': '*',
  '→': '>',
  '⋯': '~',
  '│': '|',
  '─': '-',
  '┼': '+',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
};
const SIGNS = new RegExp(`[${Object.keys(NEAREST).join('')}]`, 'g');

const CSI = '\u001b[';
const RESET = `${CSI}0m`;

function parametersOf(style: Style, hasColor: boolean, theme?: Theme): string {
  const parameters: string[] = [];
  if (style.isBold) parameters.push('1');
  if (style.isDim) parameters.push('2');
  if (style.isItalic) parameters.push('3');
  if (style.isUnderlined) parameters.push('4');
  if (style.isInverse) parameters.push('7');
  if (style.isStruck) parameters.push('9');
  if (hasColor && style.foreground !== undefined) parameters.push(foregroundIn(theme, style.foreground));
  if (hasColor && style.background !== undefined) parameters.push(style.background);
  return parameters.join(';');
}
