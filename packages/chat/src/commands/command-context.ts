import type { Line } from '@parley/terminal';
import type { ChatOptions } from '../conversation/chat-options.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ViewOptions } from '../view/view-options.ts';
import type { Picker } from './pickers.ts';

/** What a command of the chat works with, whatever the chat looks like. */
export interface CommandContext {
  readonly options: ChatOptions;
  readonly conversation: Conversation;
  readonly view: ViewOptions;
  /** A remark of ours. */
  note(text: string): void;
  /** Lines of ours, behind all that has happened before them. */
  print(kind: string, lines: readonly Line[]): void;
  /** Lets the person pick something. A chat with a screen returns at once, one of lines when it is picked. */
  pick(picker: Picker): void | Promise<void>;
  /** Keys and commands. */
  showHelp(): void;
  leave(): void;
  /** Takes the last prompt that waits back; undefined when none waits. */
  takeBack(): string | undefined;
  /** Gives a text to be written on; false where there is no place for it, or something is being written there. */
  setDraft(text: string): boolean;
  /** Sends what was written before there was a session. */
  sendEarly(): void;
}
