import type { DiffLine } from '@parley/session/diff';
import { visibleText } from '../text/clean-text.ts';
import { type Line, type Span, STYLES, type Style } from '../text/styled-text.ts';
import { expandTabs, wrapHard } from '../text/wrap.ts';
import type { Theme } from '../theme/theme.ts';
import { colorLines, overlay } from './colored-lines.ts';

export interface DiffView {
  readonly lines: readonly Line[];
  readonly added: number;
  readonly removed: number;
  /** Lines that were left out because there are too many. */
  readonly hidden: number;
}

export interface DiffViewOptions {
  readonly width: number;
  /** How many rows may be shown. */
  readonly maxRows: number;
  /** The file, by whose name its language is known. */
  readonly path?: string;
  /** What the terminal looks like; without it, added and removed lines are told by the colour of their letters. */
  readonly theme?: Theme | undefined;
  /** The new text has a last line without a break, which the old one had. */
  readonly endsWithoutBreak?: boolean;
}

/** Lines shown around each change. */
const CONTEXT = 2;

type Hunks = readonly (readonly DiffLine[])[];

/** How many lines a change adds and removes. */
export function countChanges(hunks: Hunks): { readonly added: number; readonly removed: number } {
  const diff = hunks.flat();
  const count = (wanted: DiffLine['kind']): number => diff.filter(({ kind }) => kind === wanted).length;
  return { added: count('added'), removed: count('removed') };
}

/** The changed lines, with their surroundings and numbers. Added and removed have signs, not only colours. */
export function viewDiff(changes: Hunks, options: DiffViewOptions): DiffView {
  const hunks = changes.map((hunk) => hunk.map((line) => ({ ...line, text: visibleText(line.text) })));
  const diff = hunks.flat();
  const counts = countChanges(hunks);
  const digits = String(
    diff.reduce((most, line) => Math.max(most, line.oldNumber ?? 0, line.newNumber ?? 0), 0),
  ).length;
  const lines: Line[] = [];
  const shown = pickShown(diff);
  const starts = startsOf(hunks);
  const look: Look = {
    ...lookOf(options.theme),
    colored: options.theme && options.path !== undefined ? colorLines(hunks, options.path) : NO_COLORS,
  };
  let previous = -1;
  for (const [place, index] of shown.entries()) {
    if (lines.length >= options.maxRows) {
      const hidden = shown.slice(place).filter((rest) => diff[rest]?.kind !== 'same').length;
      return { ...counts, lines: lines.slice(0, options.maxRows), hidden };
    }
    if (previous >= 0 && (index > previous + 1 || starts.has(index))) lines.push([{ text: '⋯', style: STYLES.dim }]);
    const line = diff[index];
    if (line) lines.push(...renderLine(line, partner(diff, index), { ...options, digits, look }));
    previous = index;
  }
  if (options.endsWithoutBreak) lines.push([{ text: '\\ No newline at the end', style: STYLES.dim }]);
  return { ...counts, lines, hidden: 0 };
}

/** Where each hunk begins among all lines. */
function startsOf(hunks: Hunks): ReadonlySet<number> {
  const starts = new Set<number>();
  let start = 0;
  for (const hunk of hunks) {
    starts.add(start);
    start += hunk.length;
  }
  return starts;
}

/** The places of all changes and of what is near them. */
function pickShown(diff: readonly DiffLine[]): number[] {
  const near = new Set<number>();
  for (const [index, { kind }] of diff.entries()) {
    if (kind === 'same') continue;
    for (let place = index - CONTEXT; place <= index + CONTEXT; place += 1) {
      if (place >= 0 && place < diff.length) near.add(place);
    }
  }
  return [...near].sort((left, right) => left - right);
}

/** The line that a line was changed into, or from, when as many were removed as were added after them. */
function partner(diff: readonly DiffLine[], index: number): string | undefined {
  const kind = diff[index]?.kind;
  if (kind === undefined || kind === 'same') return undefined;
  let start = index;
  while (diff[start - 1] && diff[start - 1]?.kind !== 'same') start -= 1;
  let removed = 0;
  while (diff[start + removed]?.kind === 'removed') removed += 1;
  let added = 0;
  while (diff[start + removed + added]?.kind === 'added') added += 1;
  if (removed !== added || removed > MAX_PAIRED) return undefined;
  return diff[kind === 'removed' ? index + removed : index - removed]?.text;
}

const MAX_PAIRED = 20;

/** How changed lines are told from others, and the colours of their language. */
interface Look {
  readonly added: Style;
  readonly removed: Style;
  readonly addedPart: Style;
  readonly removedPart: Style;
  readonly colored: ReadonlyMap<DiffLine, Line>;
}

const NO_COLORS: ReadonlyMap<DiffLine, Line> = new Map();

/** Backgrounds, where there are enough colours, so that the letters can have those of their language. */
function lookOf(theme: Theme | undefined): Omit<Look, 'colored'> {
  const { added, removed, addedPart, removedPart } = STYLES;
  if (!theme?.hasManyColors) return { added, removed, addedPart, removedPart };
  const [plus, minus, plusPart, minusPart] = theme.background === 'dark' ? [22, 52, 28, 88] : [194, 224, 157, 217];
  const on = (color: number): Style => ({ background: `48;5;${color}` });
  return {
    added: on(plus),
    removed: on(minus),
    addedPart: { ...on(plusPart), isBold: true },
    removedPart: { ...on(minusPart), isBold: true },
  };
}

interface LineOptions {
  readonly digits: number;
  readonly width: number;
  readonly look: Look;
}

function renderLine(line: DiffLine, other: string | undefined, { digits, width, look }: LineOptions): Line[] {
  const number = String(line.newNumber ?? line.oldNumber ?? '').padStart(digits);
  const sign = line.kind === 'added' ? '+' : line.kind === 'removed' ? '-' : ' ';
  const style = line.kind === 'added' ? STYLES.added : line.kind === 'removed' ? STYLES.removed : undefined;
  const head: Line = [
    { text: `${number} `, style: STYLES.dim },
    { text: `${sign} `, style },
  ];
  const indent: Line = [{ text: ' '.repeat(digits + 3) }];
  const marked = markChanged(line, other, look);
  const colored = look.colored.get(line);
  const rows = wrapHard(colored ? overlay(marked, colored) : marked, Math.max(1, width - digits - 3));
  return rows.map((row, index) => [...(index === 0 ? head : indent), ...row]);
}

/** Emphasises the part in which a line differs from the one it replaces. */
function markChanged({ kind, text: raw }: DiffLine, otherRaw: string | undefined, look: Look): Span[] {
  const text = expandTabs(raw);
  if (kind === 'same') return [{ text }];
  const [plain, strong] = kind === 'added' ? [look.added, look.addedPart] : [look.removed, look.removedPart];
  const other = otherRaw === undefined ? undefined : expandTabs(otherRaw);
  if (other === undefined) return [{ text, style: plain }];
  const characters = [...text];
  const others = [...other];
  let start = 0;
  while (start < characters.length && characters[start] === others[start]) start += 1;
  let end = 0;
  while (end < Math.min(characters.length, others.length) - start && characters.at(-1 - end) === others.at(-1 - end))
    end += 1;
  const isMostlyNew = start + end < characters.length / 3;
  if (isMostlyNew) return [{ text, style: plain }];
  return [
    { text: characters.slice(0, start).join(''), style: plain },
    { text: characters.slice(start, characters.length - end).join(''), style: strong },
    { text: characters.slice(characters.length - end).join(''), style: plain },
  ];
}
