import { Terminal } from '@xterm/headless';

/** A terminal emulator whose screen and scrollback can be read. */
export class Emulator {
  readonly #terminal: Terminal;

  constructor(columns: number, rows: number) {
    this.#terminal = new Terminal({ cols: columns, rows, scrollback: 100_000, allowProposedApi: true });
  }

  get columns(): number {
    return this.#terminal.cols;
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  /** Resolves when the terminal has read it. */
  write(bytes: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(bytes, resolve));
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** Every line from the top of the scrollback to the bottom of the screen; rows that were broken are joined again. */
  get lines(): string[] {
    const { active } = this.#terminal.buffer;
    const lines: string[] = [];
    for (let row = 0; row < active.length; row += 1) {
      const line = active.getLine(row);
      const text = line?.translateToString(true) ?? '';
      if (line?.isWrapped && lines.length > 0) lines.push(lines.pop() + text);
      else lines.push(text);
    }
    const trimmed = lines.map((line) => line.trimEnd());
    while (trimmed.at(-1) === '') trimmed.pop();
    return trimmed;
  }

  /** The rows that are on the screen now. */
  get screen(): string[] {
    const { active } = this.#terminal.buffer;
    return Array.from(
      { length: this.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
    );
  }

  get cursor(): { readonly row: number; readonly column: number } {
    const { active } = this.#terminal.buffer;
    return { row: active.cursorY, column: active.cursorX };
  }

  /** Whether the cell has a foreground colour, for the first cell that shows the text. */
  hasColor(text: string): boolean {
    const { active } = this.#terminal.buffer;
    for (let row = 0; row < active.length; row += 1) {
      const line = active.getLine(row);
      const column = line?.translateToString(true).indexOf(text) ?? -1;
      if (column >= 0) return !line?.getCell(column)?.isFgDefault();
    }
    return false;
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}
