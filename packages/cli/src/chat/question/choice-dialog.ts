import type { Key } from '../../terminal/input/key.ts';
import { cleanLine } from '../../terminal/text/clean-text.ts';
import { type Line, STYLES } from '../../terminal/text/styled-text.ts';
import { clip } from '../../terminal/text/wrap.ts';
import type { ViewOptions } from '../view/view-options.ts';
import { type Choice, type ChoiceOption, chooseByKey, createChoice, viewChoice } from './choice.ts';
import type { Dialog } from './dialog.ts';
import type { KeyGuard } from './key-guard.ts';

export interface ChoiceDialogOptions {
  readonly questionId?: string;
  readonly title: string;
  readonly options: readonly ChoiceOption[];
  /** What is selected at first. Leave it out where a wrong answer would do harm. */
  readonly selected?: number;
  /** Which keys are for the rest, such as `esc stops the turn`. */
  readonly hint: string;
  /** Keys that come too soon are ignored. */
  readonly guard?: KeyGuard;
  readonly onChosen: (index: number) => void;
  /** Closes it without an answer. Without it, Escape is not for this dialog. */
  readonly onEscape?: () => void;
}

/** One question with numbered answers. */
export class ChoiceDialog implements Dialog {
  readonly #options: ChoiceDialogOptions;
  #choice: Choice;

  constructor(options: ChoiceDialogOptions) {
    this.#options = options;
    this.#choice = createChoice(options.options, options.selected);
  }

  get questionId(): string {
    return this.#options.questionId ?? '';
  }

  view({ width, marks }: ViewOptions, maxRows: number = Number.POSITIVE_INFINITY): Line[] {
    const { title, hint } = this.#options;
    const answers = viewChoice(this.#choice, width, maxRows);
    const room = maxRows - answers.length;
    return [
      ...(room >= 1 ? [clip([{ text: `${marks.question} ${cleanLine(title)}`, style: STYLES.question }], width)] : []),
      ...answers,
      ...(room >= 2 ? [clip([{ text: `  ${hint}`, style: STYLES.dim }], width)] : []),
    ];
  }

  press(key: Key): boolean {
    const { guard, onChosen, onEscape } = this.#options;
    if (key.type === 'key' && (key.name === 'escape' || key.name === 'ctrl+c')) {
      onEscape?.();
      return onEscape !== undefined;
    }
    if (key.type === 'key' && FOR_OTHERS.has(key.name)) return false;
    if (guard && !guard.admits(Date.now())) return true;
    const step = chooseByKey(this.#choice, key);
    if (step?.type === 'moved') this.#choice = step.choice;
    else if (step) onChosen(step.index);
    return true;
  }
}

/** Keys that change what is shown are good for whoever wants to know more before answering. */
const FOR_OTHERS: ReadonlySet<string> = new Set(['ctrl+o', 'ctrl+t', 'ctrl+l', 'ctrl+z']);
