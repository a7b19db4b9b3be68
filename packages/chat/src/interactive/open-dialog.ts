import type { AuthRequiredError } from '@parley/client';
import type { AuthMethod } from '@parley/protocol';
import { STYLES } from '@parley/terminal';
import type { Key } from '@parley/terminal/input';
import type { Picker } from '../commands/pickers.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { ChoiceDialog } from '../dialogs/choice-dialog.ts';
import type { Dialog } from '../dialogs/dialog.ts';
import { HelpDialog } from '../dialogs/help-dialog.ts';
import { SecretDialog } from '../dialogs/secret-dialog.ts';
import { viewPermission } from '../questions/permission-view.ts';
import type { ViewOptions } from '../view/view-options.ts';
import { askQuestion } from './question-dialogs.ts';
import { viewHelp } from './view/help-view.ts';
import type { TranscriptPrinter } from './view/transcript-printer.ts';

export interface OpenDialogOptions {
  readonly conversation: () => Conversation;
  readonly printer: () => TranscriptPrinter;
  readonly view: () => ViewOptions;
  readonly onChange: () => void;
  readonly isDraftEmpty: () => boolean;
  /** Sends a prompt, or queues it. */
  readonly tell: (text: string) => void;
  /** Does what was picked, and tells when that fails. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<void>;
}

/** What the person is being asked: one thing at a time, by the agent or by us. */
export class OpenDialog {
  readonly #options: OpenDialogOptions;
  #dialog: Dialog | undefined;

  constructor(options: OpenDialogOptions) {
    this.#options = options;
  }

  get current(): Dialog | undefined {
    return this.#dialog;
  }

  /** False when the key is not for what is being asked. */
  press(key: Key): boolean {
    return this.#dialog?.press(key) ?? false;
  }

  /** Answers no, for what was written as the reason. False when nothing is asked that can be answered so. */
  reject(reason: string): boolean {
    const reject = this.#dialog?.reject;
    reject?.(reason);
    return reject !== undefined;
  }

  /** Lets the person pick something. Closing it without a choice is fine. */
  pick(picker: Picker): void {
    this.#show(
      { filter: '', ...picker },
      'number, or arrows and enter · letters narrow the list · esc closes',
      (index) => {
        if (index === undefined) return;
        void this.#options.attempt(async () => {
          const next = await picker.pick(index);
          if (next) this.pick(next);
        });
      },
    );
  }

  /** Being asked to log in is nothing unusual: the agent's own ways are offered. */
  chooseLogin({ methods }: AuthRequiredError, agentTitle: string): Promise<string | undefined> {
    if (methods.length === 0) return Promise.resolve(undefined);
    const title = `${agentTitle} wants you to log in`;
    const options = methods.map(({ name, description }) => ({ label: name, description: description ?? undefined }));
    return new Promise((resolve) => {
      this.#show({ title, options, filter: '' }, 'number answers · letters narrow the list · esc gives up', (index) =>
        resolve(index === undefined ? undefined : methods[index]?.id),
      );
    });
  }

  /** Keys and commands, until the next key. */
  showHelp(): void {
    const close = (): void => {
      this.#dialog = undefined;
      this.#options.onChange();
    };
    const commands = this.#options.conversation().transcript?.commands;
    this.#dialog = new HelpDialog({ lines: (view) => viewHelp(view, commands), onClosed: close });
    this.#options.onChange();
  }

  /** Asks for the secret of a login. */
  askSecret({ name, description }: AuthMethod): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#dialog = new SecretDialog({
        title: name,
        description: description ?? undefined,
        onDone: (secret) => {
          this.#dialog = undefined;
          resolve(secret);
          this.#options.onChange();
        },
      });
      this.#options.onChange();
    });
  }

  /** Shows everything that the permission in question is about; false when none is asked for. */
  showWhole(): boolean {
    const { conversation, printer, view } = this.#options;
    const question = conversation().questions.find(({ questionId }) => questionId === this.#dialog?.questionId);
    if (question?.type !== 'permission') return false;
    printer().add('asked', viewPermission(question, { ...view(), isDetailed: true }));
    return true;
  }

  /** Shows the oldest question of the agent, and takes away one that is no longer open. */
  sync(): void {
    const { questions } = this.#options.conversation();
    const current = this.#dialog?.questionId;
    if (current && !questions.some(({ questionId }) => questionId === current)) this.#dialog = undefined;
    const [question] = questions;
    if (question && this.#dialog instanceof HelpDialog) this.#dialog = undefined;
    if (this.#dialog || !question) return;
    const options = this.#options.view();
    const asked = askQuestion(question, {
      options,
      isDraftEmpty: this.#options.isDraftEmpty,
      tell: this.#options.tell,
      answer: (questionId, answer) => {
        this.#dialog = undefined;
        this.#options.conversation().answer(questionId, answer);
      },
      record: (words) => {
        const line = [{ text: `  ${options.marks.arrow} ${words}`, style: STYLES.dim }];
        this.#options.printer().add('question', [line]);
      },
    });
    this.#dialog = asked.dialog;
    const printer = this.#options.printer();
    if (asked.shown) printer.hideDiffs(asked.shown.toolCallId, asked.shown.content);
    printer.add('asked', asked.announcement);
  }

  #show(
    { title, options, selected, filter }: Pick<Picker, 'title' | 'options' | 'selected' | 'filter'>,
    hint: string,
    onClosed: (index: number | undefined) => void,
  ): void {
    const close = (index?: number): void => {
      this.#dialog = undefined;
      onClosed(index);
      this.#options.onChange();
    };
    this.#dialog = new ChoiceDialog({
      title,
      options,
      hint,
      ...(selected !== undefined && { selected }),
      ...(filter !== undefined && { filter }),
      onEscape: () => close(),
      onChosen: close,
    });
    this.#options.onChange();
  }
}
