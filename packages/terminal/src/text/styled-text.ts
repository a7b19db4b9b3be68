/** How a piece of text looks. Colours are SGR parameters, such as `31` or `38;5;208`. */
export interface Style {
  readonly foreground?: string;
  readonly background?: string;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isStruck?: boolean;
  readonly isInverse?: boolean;
}

/** Text in one style. The text may come from anywhere: what could steer the terminal is taken out when it is painted. */
export interface Span {
  readonly text: string;
  readonly style?: Style | undefined;
}

/** One line to be shown. */
export type Line = readonly Span[];

export type StyleName =
  | 'bold'
  | 'dim'
  | 'italic'
  | 'underlined'
  | 'struck'
  | 'heading'
  | 'code'
  | 'codeBlock'
  | 'link'
  | 'good'
  | 'bad'
  | 'warning'
  | 'active'
  | 'prompt'
  | 'question'
  | 'selected'
  | 'added'
  | 'removed'
  | 'addedPart'
  | 'removedPart';

export const EMPTY_LINE: Line = [];

export const STYLES: Readonly<Record<StyleName, Style>> = {
  bold: { isBold: true },
  dim: { isDim: true },
  italic: { isItalic: true },
  underlined: { isUnderlined: true },
  struck: { isStruck: true },
  heading: { isBold: true, foreground: '36' },
  code: { foreground: '33' },
  codeBlock: { foreground: '36' },
  link: { isUnderlined: true, foreground: '34' },
  good: { foreground: '32' },
  bad: { foreground: '31' },
  warning: { foreground: '33' },
  active: { foreground: '36' },
  prompt: { isBold: true, foreground: '35' },
  question: { isBold: true, foreground: '33' },
  selected: { isInverse: true },
  added: { foreground: '32' },
  removed: { foreground: '31' },
  addedPart: { foreground: '32', isBold: true, isUnderlined: true },
  removedPart: { foreground: '31', isBold: true, isUnderlined: true },
};

/** A line of one span. */
export function lineOf(text: string, style?: Style): Line {
  return style ? [{ text, style }] : [{ text }];
}

export function textOfLine(line: Line): string {
  let text = '';
  for (const span of line) text += span.text;
  return text;
}

/** The style with more on top of it. */
export function addStyle(below: Style | undefined, above: Style | undefined): Style | undefined {
  if (!below) return above;
  return above ? { ...below, ...above } : below;
}

/** The line with a style under all of its spans. */
export function restyle(line: Line, style: Style): Line {
  return line.map((span) => ({ text: span.text, style: addStyle(style, span.style) }));
}
