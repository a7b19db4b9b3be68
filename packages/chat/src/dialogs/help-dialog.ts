import { type Line, STYLES } from '@parley/terminal';
import type { Key } from '@parley/terminal/input';
import type { ViewOptions } from '../view/view-options.ts';
import type { Dialog } from './dialog.ts';

export interface HelpDialogOptions {
  readonly lines: (options: ViewOptions) => readonly Line[];
  readonly onClosed: () => void;
}

/** Keys and commands, until the next key; they leave nothing behind. A key that means something else does that. */
export class HelpDialog implements Dialog {
  readonly #options: HelpDialogOptions;
  #first = 0;

  constructor(options: HelpDialogOptions) {
    this.#options = options;
  }

  view(options: ViewOptions, maxRows: number = Number.POSITIVE_INFINITY): Line[] {
    const lines = this.#options.lines(options);
    const room = Math.max(1, maxRows - 1);
    this.#first = Math.max(0, Math.min(this.#first, lines.length - room));
    const more = lines.length - room > 0 ? 'up and down show the rest · ' : '';
    return [
      ...lines.slice(this.#first, this.#first + room),
      [{ text: `  ${more}any other key closes this`, style: STYLES.dim }],
    ];
  }

  press(key: Key): boolean {
    const step = key.type === 'key' ? STEPS[key.name] : undefined;
    if (step !== undefined) {
      this.#first = Math.max(0, this.#first + step);
      return true;
    }
    this.#options.onClosed();
    // Whoever begins to write has read enough; Escape and Enter only close.
    return key.type === 'key' && (key.name === 'escape' || key.name === 'enter');
  }
}

const STEPS: Readonly<Record<string, number>> = { up: -1, down: 1, pageup: -10, pagedown: 10 };
