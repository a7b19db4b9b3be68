import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import { cleanLine } from '../text/clean-text.ts';

export interface RawTerminalOptions {
  readonly input: ReadStream;
  readonly output: WriteStream;
  /** The value of `TERM`. */
  readonly term?: string | undefined;
  /** Asks to be told when the window gets and loses the keyboard. */
  readonly wantsFocus?: boolean;
}

/**
 * The terminal while we own its keyboard. However the program ends, short of `kill -9`, the terminal is as it was:
 * cooked input, visible cursor, its own title, and no special modes.
 */
export class RawTerminal {
  readonly #options: RawTerminalOptions;
  readonly #enterModes: string;
  readonly #leaveModes: string;
  readonly #restore = (): void => this.leave();
  #isRaw = false;
  #title = '';

  constructor(options: RawTerminalOptions) {
    this.#options = options;
    const hasKeys = hasExtendedKeys(options.term);
    const { wantsFocus = false } = options;
    this.#enterModes = ENTER + (hasKeys ? EXTENDED_KEYS_ON : '') + (wantsFocus ? FOCUS_ON : '');
    this.#leaveModes = (wantsFocus ? FOCUS_OFF : '') + (hasKeys ? EXTENDED_KEYS_OFF : '') + LEAVE;
  }

  get isRaw(): boolean {
    return this.#isRaw;
  }

  enter(): void {
    if (this.#isRaw) return;
    this.#isRaw = true;
    const { input, output } = this.#options;
    input.setRawMode(true);
    input.resume();
    output.write(this.#enterModes);
    process.on('exit', this.#restore);
    // Comes before the error is printed, so that its lines do not run down the screen like stairs.
    process.on('uncaughtExceptionMonitor', this.#restore);
  }

  /** Gives the terminal back, for a while or for good. */
  leave(): void {
    if (!this.#isRaw) return;
    this.#isRaw = false;
    this.#title = '';
    process.off('exit', this.#restore);
    process.off('uncaughtExceptionMonitor', this.#restore);
    const { input, output } = this.#options;
    writeNow(output, this.#leaveModes);
    try {
      input.setRawMode(false);
    } catch {
      // The terminal is gone; there is nothing left to restore.
    }
    input.pause();
  }

  setTitle(title: string): void {
    const clean = cleanLine(title);
    if (!this.#isRaw || clean === this.#title) return;
    this.#title = clean;
    this.#options.output.write(`\u001b]2;${clean}\u0007`);
  }
}

const CSI = '\u001b[';
/** Saves the title, and asks for pastes to be marked as such. */
const ENTER = `${CSI}22;0t${CSI}?2004h`;
const LEAVE = `${CSI}?2026l${CSI}0m${CSI}?2004l${CSI}23;0t${CSI}?25h`;
/** The kitty keyboard protocol: Escape and shift+enter become keys of their own, on any layout. Others ignore it. */
const EXTENDED_KEYS_ON = `${CSI}>5u`;
const EXTENDED_KEYS_OFF = `${CSI}<u`;
const FOCUS_ON = `${CSI}?1004h`;
const FOCUS_OFF = `${CSI}?1004l`;

/** The Linux console prints what it does not know. */
function hasExtendedKeys(term: string | undefined): boolean {
  return term !== undefined && !/^(linux|dumb|vt\d+|screen)/.test(term);
}

/** The process may be about to end, when nothing that waits would still be written. */
function writeNow(output: WriteStream, bytes: string): void {
  const { fd } = output as WriteStream & { fd?: number };
  try {
    if (fd === undefined || output.writableLength > 0) output.write(bytes);
    else writeSync(fd, bytes);
  } catch {
    // The terminal is gone, or does not read.
  }
}
