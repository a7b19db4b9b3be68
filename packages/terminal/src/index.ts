export { isAsciiOnly } from './screen/terminal-kind.ts';
export { cleanLine, cleanText, shortLine, shortReason, visibleText } from './text/clean-text.ts';
export { tailOfOutput } from './text/command-output.ts';
export { type PaintOptions, paint, paintText } from './text/paint.ts';
export {
  EMPTY_LINE,
  type Line,
  lineOf,
  restyle,
  type Span,
  STYLES,
  type Style,
  type StyleName,
  textOfLine,
} from './text/styled-text.ts';
export { createStyles, hasColor, type Styles } from './text/styles.ts';
export { clipText, formatTable } from './text/table.ts';
export { textWidth } from './text/width.ts';
export { clip, widthOf, withPrefix, wrapHard, wrapOutput, wrapWords } from './text/wrap.ts';
export type { Theme } from './theme/theme.ts';
