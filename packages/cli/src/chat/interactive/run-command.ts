import { type Picker, pickLogin, pickMode, pickModel, pickOption } from '../pickers.ts';
import type { OwnCommand } from '../prompt/own-commands.ts';
import { viewHelp } from '../view/help-view.ts';
import type { ChatControls } from './chat-controls.ts';

/** Does one of the chat's own commands. */
export function runCommand({ name, input }: OwnCommand, chat: ChatControls): void {
  COMMANDS[name]?.(chat, input);
  chat.window.redraw();
}

const COMMANDS: Readonly<Record<string, (chat: ChatControls, input: string) => void>> = {
  help: (chat) => chat.printer.add('help', viewHelp(chat.view, chat.conversation.transcript?.commands)),
  model: (chat) => pick(chat, pickModel(chat.conversation), 'This agent lets nobody choose its model.'),
  mode: (chat) => pick(chat, pickMode(chat.conversation), 'This agent has no modes.'),
  options: (chat) => pick(chat, pickOption(chat.conversation), 'This agent has no options.'),
  queue: takeBack,
  new: (chat) => void chat.attempt(() => chat.conversation.beginSession().then(() => chat.sendEarly())),
  restart: (chat) => void chat.attempt(() => chat.conversation.restart().then(() => chat.sendEarly())),
  session: showSession,
  login: (chat) => {
    const { conversation } = chat;
    const picker = pickLogin(conversation.loginMethods, (methodId) => conversation.login(methodId));
    pick(chat, picker, 'This agent offers no way to log in over ACP.');
  },
  quit: (chat) => chat.leave(),
};

function pick(chat: ChatControls, picker: Picker | undefined, missing: string): void {
  if (picker) chat.dialogs.pick(picker);
  else chat.note(missing);
}

/** `/queue 2` takes the second queued prompt back, `/queue` the last. */
function takeBack(chat: ChatControls, input: string): void {
  const number = Number(input);
  const text = input === '' ? chat.takeBack() : chat.conversation.takeBack(number - 1);
  if (text === undefined) chat.note(input === '' ? 'Nothing is queued.' : `There is no queued prompt ${input}.`);
  else chat.composer.setText(text);
}

function showSession(chat: ChatControls): void {
  const { session } = chat.conversation;
  if (!session) return chat.note('There is no session yet.');
  const command = chat.options.resumeCommand?.(session.id);
  chat.note(command === undefined ? `Session ${session.id}` : `Session ${session.id}. Resume it with: ${command}`);
}
