import type { FormReply } from '@parley/client';
import type { ElicitationContentValue, ElicitationSchema } from '@parley/protocol';
import { cleanLine, clip, type Line, type Span, STYLES } from '@parley/terminal';
import { type Editor, EMPTY_EDITOR, editKey, type Key, submittedText } from '@parley/terminal/input';
import { describeAnswers } from '../questions/describe-answers.ts';
import { type FormField, parseAnswer, readFields } from '../questions/form-fields.ts';
import type { ViewOptions } from '../view/view-options.ts';
import { type Choice, type ChoiceOption, chooseByKey, createChoice, viewChoice } from './choice.ts';
import type { Dialog } from './dialog.ts';
import type { KeyGuard } from './key-guard.ts';

export interface FormDialogOptions {
  readonly questionId: string;
  readonly form: ElicitationSchema;
  readonly guard: KeyGuard;
  readonly onDone: (response: FormReply) => void;
}

/** Asks for the fields of a form, one after the other. */
export class FormDialog implements Dialog {
  readonly questionId: string;
  readonly #options: FormDialogOptions;
  readonly #fields: readonly FormField[];
  readonly #values: Record<string, ElicitationContentValue> = {};
  #place = 0;
  #editor: Editor = EMPTY_EDITOR;
  #choice: Choice = createChoice([]);
  #picked: ReadonlySet<number> = new Set();
  #problem = '';

  constructor(options: FormDialogOptions) {
    this.questionId = options.questionId;
    this.#options = options;
    this.#fields = readFields(options.form);
    this.#enter(0);
  }

  get editor(): Editor | undefined {
    const kind = this.#field?.kind;
    return kind === 'text' || kind === 'number' ? this.#editor : undefined;
  }

  view({ width, marks }: ViewOptions, maxRows: number = Number.POSITIVE_INFINITY): Line[] {
    const field = this.#field;
    const head: Span = { text: `${marks.question} Waiting for you: `, style: STYLES.question };
    const choiceRows = Math.max(1, maxRows - 1);
    if (!field) {
      const answers = viewChoice(this.#choice, width, choiceRows);
      const given: Span = { text: `  ${describeAnswers(this.#fields, this.#values)}`, style: STYLES.dim };
      return [clip([head, { text: 'send the answers?' }, given], width), ...answers, this.#hint(width)].slice(
        0,
        maxRows,
      );
    }
    const title: Span[] = [head, { text: cleanLine(field.title), style: STYLES.bold }];
    if (!field.isRequired) title.push({ text: ' (optional)' });
    if (this.#fields.length > 1)
      title.push({ text: ` ${this.#place + 1} of ${this.#fields.length}`, style: STYLES.dim });
    if (field.description !== undefined) title.push({ text: `  ${cleanLine(field.description)}`, style: STYLES.dim });
    const problem: Line[] = this.#problem === '' ? [] : [[{ text: `  ${this.#problem}`, style: STYLES.bad }]];
    const options = this.editor ? [] : viewChoice(this.#shownChoice(field), width, choiceRows);
    return [clip(title, width), ...options, ...problem, this.#hint(width)].slice(0, maxRows);
  }

  press(key: Key): boolean {
    if (key.type === 'key' && key.name === 'ctrl+c') return false;
    if (key.type === 'key' && key.name === 'escape') return this.#end({ action: 'cancel' });
    if (key.type === 'key' && key.name === 'ctrl+d') return this.#end({ action: 'decline' });
    // What was being written when the form came is kept in the prompt.
    if (!this.#options.guard.admits(Date.now())) return key.type === 'key';
    // Who answers fast types several numbers at once.
    const keys: readonly Key[] =
      key.type === 'text' && !this.editor ? [...key.text].map((text) => ({ type: 'text', text })) : [key];
    for (const each of keys) this.#pressOne(each);
    return true;
  }

  #pressOne(key: Key): void {
    if (key.type === 'key' && key.name === 'shift+tab' && this.#place > 0) this.#enter(this.#place - 1);
    else if (this.editor) this.#pressInEditor(this.editor, key);
    else this.#pressInChoice(key);
  }

  get #field(): FormField | undefined {
    return this.#fields[this.#place];
  }

  #pressInEditor(editor: Editor, key: Key): void {
    if (key.type === 'key' && (key.name === 'enter' || key.name === 'tab')) return this.#submit(submittedText(editor));
    this.#editor = editKey(editor, key) ?? editor;
  }

  #pressInChoice(key: Key): void {
    const field = this.#field;
    if (field?.kind === 'multi' && this.#pressInMulti(key)) return;
    if (field?.kind === 'boolean' && key.type === 'text' && /^[yn]$/i.test(key.text)) return this.#submit(key.text);
    const isSkipped = key.type === 'key' && key.name === 'enter' && this.#choice.selected === undefined;
    if (isSkipped && field) return this.#submit('');
    const step = chooseByKey(this.#choice, key);
    if (step?.type === 'moved') this.#choice = step.choice;
    else if (step && !field) this.#end(step.index === 0 ? { action: 'accept', content: this.#values } : DECLINED);
    else if (step) this.#submit(String(step.index + 1));
  }

  /** Numbers and the space bar mark options, Enter takes those that are marked. */
  #pressInMulti(key: Key): boolean {
    if (key.type === 'key' && key.name === 'enter') {
      this.#submit([...this.#picked].map((index) => index + 1).join(','));
      return true;
    }
    const step = chooseByKey(this.#choice, key);
    const index =
      step?.type === 'chosen'
        ? step.index
        : key.type === 'text' && key.text === ' '
          ? this.#choice.selected
          : undefined;
    if (index === undefined) return false;
    const picked = new Set(this.#picked);
    if (!picked.delete(index)) picked.add(index);
    this.#picked = picked;
    return true;
  }

  #submit(input: string): void {
    const field = this.#field;
    if (!field) return;
    const answer = parseAnswer(field, input);
    if (answer.type === 'wrong') {
      this.#problem = answer.because;
      return;
    }
    if (answer.type === 'value') this.#values[field.name] = answer.value;
    else delete this.#values[field.name];
    // Whoever answers one question has nothing to look through before it is sent.
    if (this.#fields.length === 1) this.#end({ action: 'accept', content: this.#values });
    else this.#enter(this.#place + 1);
  }

  #enter(place: number): void {
    this.#place = place;
    this.#problem = '';
    const field = this.#field;
    const preset = field && (this.#values[field.name] ?? field.preset);
    this.#editor = EMPTY_EDITOR;
    if (typeof preset === 'string' || typeof preset === 'number') {
      this.#editor = { ...EMPTY_EDITOR, text: String(preset), caret: String(preset).length };
    }
    const chosen = field?.options.findIndex(({ value }) => value === preset) ?? -1;
    const first = field ? chosen : 0;
    const selected = field?.kind === 'boolean' && typeof preset === 'boolean' ? (preset ? 0 : 1) : first;
    this.#choice = createChoice(optionsOf(field), selected < 0 ? undefined : selected);
    const picks = Array.isArray(preset)
      ? preset.map((value) => field?.options.findIndex((option) => option.value === value) ?? -1)
      : [];
    this.#picked = new Set(picks.filter((index) => index >= 0));
  }

  #shownChoice(field: FormField): Choice {
    if (field.kind !== 'multi') return this.#choice;
    const options = this.#choice.options.map((option, index) => ({
      ...option,
      label: `${this.#picked.has(index) ? '[x]' : '[ ]'} ${option.label}`,
    }));
    return { ...this.#choice, options };
  }

  #hint(width: number): Line {
    const next = this.#field?.kind === 'multi' ? 'space marks, enter takes' : 'enter takes';
    return clip([{ text: `  ${next} · shift+tab back · ctrl+d declines · esc dismisses`, style: STYLES.dim }], width);
  }

  #end(response: FormReply): true {
    this.#options.onDone(response);
    return true;
  }
}

const DECLINED: FormReply = { action: 'decline' };

function optionsOf(field: FormField | undefined): readonly ChoiceOption[] {
  if (!field) return [{ label: 'Send' }, { label: 'Decline' }];
  return field.kind === 'boolean' ? [{ label: 'Yes' }, { label: 'No' }] : field.options;
}
