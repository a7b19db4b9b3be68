import { cleanLine, clip, type Line, type Span, STYLES, textWidth, withPrefix, wrapWords } from '@parley/terminal';
import type { Key } from '@parley/terminal/input';

/** Options to choose from. Nothing is selected at first, so that Enter alone chooses nothing. */
export interface Choice {
  readonly options: readonly ChoiceOption[];
  readonly selected: number | undefined;
  /** False while digits are letters of a filter. Default: true. */
  readonly isNumbered?: boolean;
}

export interface ChoiceOption {
  readonly label: string;
  readonly description?: string | undefined;
}

export type ChoiceStep =
  | { readonly type: 'moved'; readonly choice: Choice }
  | { readonly type: 'chosen'; readonly index: number };

/** How many options are shown at once, and how many have a number. */
const MAX_SHOWN = 9;
/** Answers that would take more rows are cut instead. */
const MAX_WHOLE_ROWS = 14;

export function createChoice(options: readonly ChoiceOption[], selected?: number): Choice {
  return { options, selected };
}

/** Number keys choose at once; arrows select and Enter takes what is selected. Undefined when the key means nothing here. */
export function chooseByKey(choice: Choice, key: Key): ChoiceStep | undefined {
  const { options, selected } = choice;
  if (key.type === 'text') {
    const number = /^[1-9]$/.test(key.text) ? Number(key.text) : 0;
    return number >= 1 && number <= options.length ? { type: 'chosen', index: number - 1 } : undefined;
  }
  if (key.type === 'paste') return undefined;
  switch (key.name) {
    case 'down':
    case 'right':
    case 'ctrl+n':
    case 'tab':
      return moved(choice, selected === undefined ? 0 : selected + 1);
    case 'up':
    case 'left':
    case 'ctrl+p':
    case 'shift+tab':
      return moved(choice, (selected ?? options.length) - 1);
    case 'enter':
      return selected === undefined ? undefined : { type: 'chosen', index: selected };
    default:
      return undefined;
  }
}

/** In one row when they fit, else one below the other, and those around the selected one where there is little room. */
export function viewChoice(
  { options, selected, isNumbered = true }: Choice,
  width: number,
  maxRows: number = Number.POSITIVE_INFINITY,
): Line[] {
  const labels = options.map(
    ({ label }, index) => `${isNumbered && index < MAX_SHOWN ? index + 1 : ' '} ${cleanLine(label)}`,
  );
  const isShort = options.every(({ description }) => !description) && options.length <= MAX_SHOWN;
  const total = labels.reduce((sum, label) => sum + textWidth(label) + 3, 2);
  if (isShort && total <= width) {
    const row: Span[] = [{ text: '  ' }];
    for (const [index, text] of labels.entries()) {
      if (index > 0) row.push({ text: '   ' });
      row.push({ text, style: index === selected ? STYLES.selected : undefined });
    }
    return [row];
  }
  if (isShort) {
    // What somebody agrees to must be read to its end.
    const whole = options.flatMap(({ label }, index) => {
      const style = index === selected ? STYLES.selected : undefined;
      const text = wrapWords([{ text: cleanLine(label), style }], Math.max(1, width - 4));
      return withPrefix(
        text,
        [{ text: '  ' }, { text: `${isNumbered ? index + 1 : ' '} `, style }],
        [{ text: '    ' }],
      );
    });
    if (whole.length <= Math.min(maxRows, MAX_WHOLE_ROWS)) return whole;
  }
  const isCut = options.length > Math.min(MAX_SHOWN, maxRows);
  const most = Math.max(1, Math.min(MAX_SHOWN, isCut ? maxRows - 1 : maxRows));
  const first = Math.max(0, Math.min((selected ?? 0) - most + 1, options.length - most));
  const rows: Line[] = labels.slice(first, first + most).map((text, place) => {
    const index = first + place;
    const description = options[index]?.description;
    const row: Span[] = [{ text: '  ' }, { text, style: index === selected ? STYLES.selected : undefined }];
    if (description) row.push({ text: `  ${cleanLine(description)}`, style: STYLES.dim });
    return clip(row, width);
  });
  const hidden = options.length - rows.length;
  return hidden > 0 && rows.length < maxRows ? [...rows, [{ text: `  … ${hidden} more`, style: STYLES.dim }]] : rows;
}

function moved(choice: Choice, index: number): ChoiceStep {
  const { length } = choice.options;
  return { type: 'moved', choice: { ...choice, selected: length === 0 ? undefined : (index + length) % length } };
}
