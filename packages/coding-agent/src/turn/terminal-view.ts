import type { ShownTerminal, ToolCallHandle, Turn } from '@parley/agent';
import { tailOf } from '@parley/models/model';

/** What is written at once: of more than this only the end is shown. */
const MAX_PIECE_CHARACTERS = 16 * 1024;
/** All that is written while a command runs; every piece is kept in the log. */
const MAX_CHARACTERS = 1024 * 1024;
const REFRESH_MS = 100;

export interface TerminalViewOptions {
  readonly turn: Pick<Turn, 'showTerminal'>;
  readonly call: ToolCallHandle;
  readonly command: string;
  readonly cwd: string;
}

/** A running command as a terminal of the agent's own, for clients that show those: pieces of output, a few times a second. */
export class TerminalView implements Disposable {
  readonly #terminal: ShownTerminal;
  #waiting = '';
  #written = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ turn, call, command, cwd }: TerminalViewOptions) {
    this.#terminal = turn.showTerminal({ command, cwd });
    call.update({ terminal: this.#terminal });
  }

  append(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length > 2 * MAX_PIECE_CHARACTERS) this.#waiting = shorten(this.#waiting);
    this.#timer ??= setTimeout(() => this.#write(), REFRESH_MS);
  }

  /** The end of the output is shown in any case. */
  end(rawOutput: unknown): void {
    this.#written = 0;
    this.#write();
    const { exitCode, signal } = (rawOutput ?? {}) as { exitCode?: number | null; signal?: string | null };
    this.#terminal.exit({ exitCode: exitCode ?? null, signal: signal ?? null });
  }

  /** A command of which nobody knows how it ended has ended too. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#terminal.exit();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting === '' || this.#written > MAX_CHARACTERS) return;
    const piece = shorten(this.#waiting);
    this.#waiting = '';
    this.#written += piece.length;
    void this.#terminal.write(piece);
  }
}

function shorten(text: string): string {
  return text.length <= MAX_PIECE_CHARACTERS ? text : `[...]\n${tailOf(text, MAX_PIECE_CHARACTERS)}`;
}
