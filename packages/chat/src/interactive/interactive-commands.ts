import type { CommandContext } from '../commands/command-context.ts';
import type { OwnCommand } from '../commands/own-commands.ts';
import { runCommand } from '../commands/run-command.ts';
import type { ChatControls } from './chat-controls.ts';

/** Does one of the chat's own commands with a screen. */
export function runOnScreen(command: OwnCommand, chat: ChatControls): void {
  const { options, conversation, composer, dialogs } = chat;
  const context: CommandContext = {
    options,
    conversation,
    get view() {
      return chat.view;
    },
    note: (text) => chat.note(text),
    print: (kind, lines) => chat.print(kind, lines),
    pick: (picker) => dialogs.pick(picker),
    showHelp: () => dialogs.showHelp(),
    leave: () => chat.leave(),
    takeBack: () => chat.takeBack(),
    setDraft: (text) => {
      if (composer.isEmpty) composer.setText(text);
      return composer.editor.text === text;
    },
    sendEarly: () => chat.sendEarly(),
  };
  void chat.attempt(() => runCommand(command, context));
}
