import type { Line, Style } from '@parley/terminal';
import type { TerminalWindow } from '@parley/terminal/screen';
import type { ChatEnvironment } from '../conversation/chat-environment.ts';
import type { ChatEnd, ChatOptions } from '../conversation/chat-options.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ClipboardImages } from '../prompt/clipboard-image.ts';
import type { Composer } from '../prompt/composer.ts';
import type { ShellRun } from '../shell/shell-run.ts';
import type { ViewOptions } from '../view/view-options.ts';
import type { DisplaySettings } from './display-settings.ts';
import type { OpenDialog } from './open-dialog.ts';
import type { TranscriptPrinter } from './view/transcript-printer.ts';

/** What keys, commands and hooks may do with the chat in a terminal. */
export interface ChatControls {
  readonly options: ChatOptions;
  readonly environment: ChatEnvironment;
  readonly conversation: Conversation;
  readonly composer: Composer;
  readonly images: ClipboardImages;
  readonly dialogs: OpenDialog;
  readonly window: TerminalWindow;
  readonly display: DisplaySettings;
  readonly printer: TranscriptPrinter;
  readonly view: ViewOptions;
  /** The command of the person that runs, if one does. */
  readonly shell: ShellRun | undefined;
  /** The prompts that wait, for a session or for the end of a turn. */
  readonly queue: readonly string[];
  leave(end?: ChatEnd): void;
  /** A remark of ours, in the scrollback. */
  note(text: string, style?: Style): void;
  /** Lines of ours, in the scrollback, behind all that has happened before them. */
  print(kind: string, lines: readonly Line[]): void;
  /** Does something that may fail, and tells when it does. */
  attempt(work: () => Promise<unknown>): Promise<void>;
  /** Sends what was written before there was a session. */
  sendEarly(): void;
  /** Takes the last prompt that waits back. */
  takeBack(): string | undefined;
  /** Stops the turn. What was queued comes back to be written on. */
  stop(): void;
}
