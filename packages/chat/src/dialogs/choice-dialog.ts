import { cleanLine, clip, type Line, STYLES } from '@parley/terminal';
import type { Key } from '@parley/terminal/input';
import type { ViewOptions } from '../view/view-options.ts';
import { type Choice, type ChoiceOption, chooseByKey, createChoice, viewChoice } from './choice.ts';
import type { Dialog } from './dialog.ts';
import { filterOptions } from './filter-options.ts';
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
  /** Answers no, for a reason that is written in the prompt below it. */
  readonly onReason?: (reason: string) => void;
  /** Whether nothing is written in the prompt below it. Without it, nothing can be written while this is asked. */
  readonly isDraftEmpty?: () => boolean;
  /** What is typed narrows the list; this is there already. Without it, letters mean nothing. */
  readonly filter?: string;
  /** Closes it without an answer. Without it, Escape is not for this dialog. */
  readonly onEscape?: () => void;
}

/** One question with numbered answers. */
export class ChoiceDialog implements Dialog {
  readonly #options: ChoiceDialogOptions;
  #choice: Choice;
  /** What narrows the list; undefined where it is always shown whole. */
  #filter: string | undefined;
  /** Where the shown options stand in the whole list. */
  #places: readonly number[] = [];

  constructor(options: ChoiceDialogOptions) {
    this.#options = options;
    this.#choice = createChoice(options.options, options.selected);
    this.#places = options.options.map((_, index) => index);
    if (options.filter !== undefined) this.#narrow(options.filter, options.selected);
  }

  get questionId(): string {
    return this.#options.questionId ?? '';
  }

  get canClose(): boolean {
    return this.#options.onEscape !== undefined;
  }

  get reject(): ((reason: string) => void) | undefined {
    return this.#options.onReason;
  }

  view({ width, marks }: ViewOptions, maxRows: number = Number.POSITIVE_INFINITY): Line[] {
    const { title, isDraftEmpty, onReason } = this.#options;
    const hint = onReason && isDraftEmpty?.() === false ? REASON_HINT : this.#options.hint;
    const isNone = this.#choice.options.length === 0;
    const answers = isNone
      ? [[{ text: '  nothing is called so', style: STYLES.dim }]]
      : viewChoice(this.#choice, width, maxRows);
    const room = maxRows - answers.length;
    const filter = this.#filter ? [{ text: `  ${cleanLine(this.#filter)}`, style: STYLES.bold }] : [];
    const head = [{ text: `${marks.question} ${cleanLine(title)}`, style: STYLES.question }, ...filter];
    return [
      ...(room >= 1 ? [clip(head, width)] : []),
      ...answers,
      ...(room >= 2 ? [clip([{ text: `  ${hint}`, style: STYLES.dim }], width)] : []),
    ];
  }

  press(key: Key): boolean {
    const { guard, isDraftEmpty, onChosen, onEscape } = this.#options;
    if (key.type === 'key' && (key.name === 'escape' || key.name === 'ctrl+c')) {
      onEscape?.();
      return onEscape !== undefined;
    }
    if (key.type === 'key' && FOR_OTHERS.has(key.name)) return false;
    // Nothing is written in it that the key could be for.
    if (key.type === 'key' && key.name === 'ctrl+d' && !this.#filter) return false;
    const now = Date.now();
    const isAdmitted = guard?.admits(now) ?? true;
    if (isDraftEmpty) {
      // Whoever writes goes on writing; only the key that would send it waits until the question was seen.
      if (!isDraftEmpty()) return key.type === 'key' && key.name === 'enter' ? !isAdmitted : this.#leaveToDraft(now);
      const isAnswer = isAdmitted && guard?.isWriting(now) !== true && chooseByKey(this.#choice, key) !== undefined;
      if (!isAnswer && key.type !== 'key') return this.#leaveToDraft(now);
      if (!isAnswer) return ANSWERING.has(key.type === 'key' ? key.name : '');
    } else if (!isAdmitted) return true;
    if (this.#filter !== undefined && this.#type(key, this.#filter)) return true;
    const step = chooseByKey(this.#choice, key);
    if (step?.type === 'moved') this.#choice = step.choice;
    else if (step) onChosen(this.#places[step.index] ?? step.index);
    return true;
  }

  /** Narrows the list, or widens it again. A number alone is an answer, as long as nothing is typed. */
  #type(key: Key, filter: string): boolean {
    if (key.type === 'key') {
      if (key.name === 'backspace') this.#narrow([...filter].slice(0, -1).join(''));
      else if (key.name === 'ctrl+u') this.#narrow('');
      else return false;
      return true;
    }
    if (filter === '' && chooseByKey(this.#choice, key)) return false;
    this.#narrow(filter + key.text.replaceAll(/\s+/g, ' '));
    return true;
  }

  /** The first of what is left is selected, so that Enter takes it. */
  #narrow(filter: string, selected?: number): void {
    const { options } = this.#options;
    this.#filter = filter;
    this.#places = filterOptions(options, filter);
    const place = this.#places.indexOf(selected ?? -1);
    const shown = this.#places.flatMap((index) => options[index] ?? []);
    const first = filter.trim() === '' || shown.length === 0 ? undefined : 0;
    const choice = createChoice(shown, place >= 0 ? place : first);
    this.#choice = filter.trim() === '' ? choice : { ...choice, isNumbered: false };
  }

  #leaveToDraft(now: number): false {
    this.#options.guard?.write(now);
    return false;
  }
}

const REASON_HINT = 'enter rejects and tells the agent why · ctrl+u clears · esc stops the turn';
/** Keys that answer or do nothing: they must not reach the prompt, where they would recall or send something. */
const ANSWERING: ReadonlySet<string> = new Set([
  ...['enter', 'tab', 'shift+tab', 'up', 'down', 'left', 'right', 'ctrl+n', 'ctrl+p'],
]);

/** Keys that change what is shown are good for whoever wants to know more before answering. */
const FOR_OTHERS: ReadonlySet<string> = new Set(['ctrl+o', 'ctrl+t', 'ctrl+l', 'ctrl+z']);
