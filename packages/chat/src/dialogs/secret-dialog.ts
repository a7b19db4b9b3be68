import { cleanLine, clip, type Line, STYLES } from '@parley/terminal';
import type { Key } from '@parley/terminal/input';
import type { ViewOptions } from '../view/view-options.ts';
import type { Dialog } from './dialog.ts';

export interface SecretDialogOptions {
  readonly title: string;
  readonly description?: string | undefined;
  /** Undefined when the person gave it up. */
  readonly onDone: (secret: string | undefined) => void;
}

/** Asks for a secret, and shows only how long it is. */
export class SecretDialog implements Dialog {
  readonly canClose = true;
  readonly #options: SecretDialogOptions;
  #text = '';

  constructor(options: SecretDialogOptions) {
    this.#options = options;
  }

  view({ width, marks }: ViewOptions, maxRows: number = Number.POSITIVE_INFINITY): Line[] {
    const { title, description } = this.#options;
    const about = description === undefined ? '' : `  ${cleanLine(description)}`;
    const rows: Line[] = [
      [
        { text: `${marks.question} ${cleanLine(title)}`, style: STYLES.question },
        { text: about, style: STYLES.dim },
      ],
      [{ text: `  ${'*'.repeat([...this.#text].length)}` }],
      [{ text: '  enter sends it · esc gives up', style: STYLES.dim }],
    ];
    return rows.map((row) => clip(row, width)).slice(0, maxRows);
  }

  press(key: Key): boolean {
    if (key.type === 'text' || key.type === 'paste') {
      this.#text += key.text.replaceAll(/[\r\n]/g, '');
      return true;
    }
    if (key.type !== 'key') return false;
    switch (key.name) {
      case 'enter':
        this.#options.onDone(this.#text === '' ? undefined : this.#text);
        return true;
      case 'escape':
      case 'ctrl+c':
        this.#options.onDone(undefined);
        return true;
      case 'ctrl+d':
        return this.#text !== '';
      case 'backspace':
        this.#text = [...this.#text].slice(0, -1).join('');
        return true;
      case 'ctrl+u':
        this.#text = '';
        return true;
      default:
        return true;
    }
  }
}
