import { EscapeReader, type Piece } from './escape-reader.ts';
import { applyStyleCodes, type TextStyle } from './text-style.ts';

/** Neighbouring characters that look alike. */
export interface Run {
  readonly text: string;
  readonly style: TextStyle | undefined;
}

/** One line as it is drawn; another object after each change of the line. */
export interface ScreenLine {
  readonly runs: readonly Run[];
}

export interface ScreenOptions {
  /** Lines that are kept; older ones are dropped. Default: 2,000. */
  readonly maxLines?: number;
}

const DEFAULT_MAX_LINES = 2000;
/** How far back a program may move the cursor: what it takes for the screen. */
const SCREEN_ROWS = 60;
/** A longer line goes on in the next. */
const MAX_COLUMNS = 2000;
const TAB_WIDTH = 8;

interface Row {
  readonly characters: string[];
  readonly styles: (TextStyle | undefined)[];
  drawn: ScreenLine | undefined;
}

/**
 * A terminal's screen as far as the output of commands needs one: colours, and the movements by which progress is shown in place.
 * Output may come in pieces that are cut anywhere.
 */
export class Screen {
  readonly #maxLines: number;
  readonly #reader = new EscapeReader((piece) => this.#apply(piece));
  #rows: Row[] = [createRow()];
  #row = 0;
  #column = 0;
  #style: TextStyle | undefined;
  #droppedLines = 0;

  constructor({ maxLines = DEFAULT_MAX_LINES }: ScreenOptions = {}) {
    this.#maxLines = maxLines;
  }

  write(text: string): void {
    this.#reader.write(text);
  }

  /** The lines from top to bottom; an empty last one, where only the cursor stands, is left out. */
  get lines(): ScreenLine[] {
    const isLastEmpty = this.#rows.at(-1)?.characters.length === 0;
    return (isLastEmpty ? this.#rows.slice(0, -1) : this.#rows).map(draw);
  }

  /** Lines at the top that did not fit. */
  get droppedLines(): number {
    return this.#droppedLines;
  }

  #apply(piece: Piece): void {
    if (piece.type === 'text') this.#put(piece.text);
    else if (piece.type === 'control') this.#move(piece.character);
    else this.#obey(piece.parameters, piece.letter);
  }

  #put(text: string): void {
    for (const character of text) {
      const row = this.#current;
      if (this.#column > 0 && JOINED.test(character)) {
        const before = this.#column - 1;
        // A letter can carry some marks, but not a tower of them.
        if ((row.characters[before]?.length ?? 0) < MAX_CLUSTER) row.characters[before] += character;
        row.drawn = undefined;
        continue;
      }
      if (this.#column >= MAX_COLUMNS) {
        this.#column = 0;
        this.#down();
        this.#put(character);
        continue;
      }
      while (row.characters.length < this.#column) {
        row.characters.push(' ');
        row.styles.push(undefined);
      }
      row.characters[this.#column] = character;
      row.styles[this.#column] = this.#style;
      row.drawn = undefined;
      this.#column += 1;
    }
  }

  #move(character: string): void {
    if (character === '\n') {
      this.#column = 0;
      this.#down();
    } else if (character === '\r') this.#column = 0;
    else if (character === '\b') this.#column = Math.max(0, this.#column - 1);
    else this.#put(' '.repeat(TAB_WIDTH - (this.#column % TAB_WIDTH)));
  }

  #down(): void {
    this.#row += 1;
    if (this.#row < this.#rows.length) return;
    this.#rows.push(createRow());
    // Some are dropped at once, since each time moves all the others.
    if (this.#rows.length <= this.#maxLines * 1.25) return;
    const dropped = this.#rows.length - this.#maxLines;
    this.#rows = this.#rows.slice(dropped);
    this.#row -= dropped;
    this.#droppedLines += dropped;
  }

  #obey(parameters: string, letter: string): void {
    if (letter === 'm') {
      if (/^[\d;:]*$/.test(parameters)) this.#style = applyStyleCodes(this.#style, parameters);
      return;
    }
    if (!/^\d{0,4}(;\d{0,4})?$/.test(parameters)) return;
    const [first = '', second = ''] = parameters.split(';');
    const count = Math.max(1, Number(first));
    if (letter === 'A' || letter === 'F') this.#row = Math.max(this.#top, this.#row - count);
    if (letter === 'B' || letter === 'E') this.#row = Math.min(this.#rows.length - 1, this.#row + count);
    if (letter === 'E' || letter === 'F') this.#column = 0;
    if (letter === 'C') this.#column = Math.min(MAX_COLUMNS - 1, this.#column + count);
    if (letter === 'D') this.#column = Math.max(0, this.#column - count);
    if (letter === 'G') this.#column = Math.min(MAX_COLUMNS, count) - 1;
    if (letter === 'H' || letter === 'f') this.#moveTo(count, Math.max(1, Number(second)));
    if (letter === 'K') this.#eraseLine(Number(first));
    if (letter === 'J') this.#eraseScreen(Number(first));
  }

  #moveTo(line: number, column: number): void {
    this.#row = Math.min(this.#rows.length - 1, this.#top + line - 1);
    this.#column = Math.min(MAX_COLUMNS, column) - 1;
  }

  #eraseLine(what: number): void {
    const row = this.#current;
    row.drawn = undefined;
    if (what === 0) {
      row.characters.length = Math.min(row.characters.length, this.#column);
      row.styles.length = row.characters.length;
      return;
    }
    const end = what === 1 ? Math.min(row.characters.length, this.#column + 1) : row.characters.length;
    if (what === 2) row.characters.length = row.styles.length = 0;
    else {
      row.characters.fill(' ', 0, end);
      row.styles.fill(undefined, 0, end);
    }
  }

  #eraseScreen(what: number): void {
    if (what === 0) {
      this.#eraseLine(0);
      this.#rows.length = this.#row + 1;
    } else if (what === 2 || what === 3) {
      this.#rows.length = this.#top;
      this.#rows.push(createRow());
      this.#row = this.#rows.length - 1;
      this.#column = 0;
    }
  }

  get #top(): number {
    return Math.max(0, this.#rows.length - SCREEN_ROWS);
  }

  get #current(): Row {
    return this.#rows[this.#row] ?? createRow();
  }
}

/** What belongs to the character before it. */
const JOINED = /^(?:\p{M}|\u200d)/u;
const MAX_CLUSTER = 16;

function createRow(): Row {
  return { characters: [], styles: [], drawn: undefined };
}

function draw(row: Row): ScreenLine {
  row.drawn ??= { runs: runsOf(row) };
  return row.drawn;
}

function runsOf({ characters, styles }: Row): Run[] {
  const runs: { text: string; style: TextStyle | undefined }[] = [];
  for (const [index, character] of characters.entries()) {
    const style = styles[index];
    const last = runs.at(-1);
    if (last && last.style === style) last.text += character;
    else runs.push({ text: character, style });
  }
  return runs;
}
