import { wordPath } from '../../view/wording.ts';
import { fileStepsOf } from '../changes/file-steps.ts';
import { nameOfAgent } from '../name-of-agent.ts';
import {
  chooseByWord,
  type Picker,
  pickAgent,
  pickLogin,
  pickMode,
  pickModel,
  pickOption,
  pickSession,
  pickTurn,
} from '../pickers.ts';
import type { OwnCommand } from '../prompt/own-commands.ts';
import type { PastPrompt } from '../rewind/past-prompts.ts';
import type { ChatControls } from './chat-controls.ts';

/** Does one of the chat's own commands. */
export function runCommand({ name, input }: OwnCommand, chat: ChatControls): void {
  COMMANDS[name]?.(chat, input);
  chat.window.redraw();
}

const COMMANDS: Readonly<Record<string, (chat: ChatControls, input: string) => void>> = {
  help: (chat) => chat.dialogs.showHelp(),
  model: (chat, input) => {
    if (input !== '') choose(chat, 'model', input);
    else pick(chat, pickModel(chat.conversation), 'This agent lets nobody choose its model.');
  },
  mode: (chat, input) => {
    if (input !== '') choose(chat, 'mode', input);
    else pick(chat, pickMode(chat.conversation), 'This agent has no modes.');
  },
  diff: (chat) => void chat.attempt(() => showChanges(chat)),
  rewind: (chat) => {
    if (isWorking(chat)) return;
    const picker = pickTurn(chat.conversation, (prompt, what) => rewind(chat, prompt, what));
    pick(chat, picker, 'Nothing was said yet.');
  },
  resume: (chat) => void chat.attempt(() => resume(chat)),
  agent: (chat, input) => void chat.attempt(() => changeAgent(chat, input)),
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

function choose(chat: ChatControls, key: 'mode' | 'model', word: string): void {
  void chat.attempt(async () => {
    const chosen = await chooseByWord(chat.conversation, key, word);
    if (typeof chosen === 'string') chat.note(chosen);
    else chat.dialogs.pick(chosen);
  });
}

/** What would end a turn waits until the person has ended it. */
function isWorking({ conversation, note }: ChatControls): boolean {
  if (conversation.isBusy) note('The agent still works. Stop it with esc first, or wait.');
  return conversation.isBusy;
}

async function showChanges(chat: ChatControls): Promise<void> {
  const { transcript } = chat.conversation;
  if (!transcript) return chat.note('There is no session yet.');
  const [{ readSessionChanges }, { viewChanges }] = await Promise.all([
    import('../changes/session-changes.ts'),
    import('../changes/changes-view.ts'),
  ]);
  chat.print('changes', viewChanges(await readSessionChanges(transcript, chat.view.cwd), chat.view));
}

async function rewind(
  chat: ChatControls,
  prompt: PastPrompt,
  what: { readonly files: boolean; readonly conversation: boolean },
): Promise<void> {
  const { transcript } = chat.conversation;
  if (!transcript) return;
  const { restoreFiles } = await import('../rewind/restore-files.ts');
  const { cwd, home } = chat.view;
  const list = (paths: readonly string[]): string => paths.map((path) => wordPath(path, cwd, home)).join(', ');
  const words: string[] = [];
  const steps = fileStepsOf(transcript, cwd, prompt.entry);
  const before = chat.conversation.session?.id ?? '';
  if (what.conversation) {
    await chat.conversation.rewind(prompt.turns);
    words.push(`Before "${prompt.text.trim().split('\n')[0]}": the agent knows nothing of it, nor of what followed.`);
    words.push(`The session as it was: ${(await chat.options.resumeCommand?.(before)) ?? before}`);
  }
  if (what.files) {
    const { restored, left } = await restoreFiles(steps);
    words.push(restored.length > 0 ? `Put back as before: ${list(restored)}.` : 'No file had to be put back.');
    if (left.length > 0) words.push(`Changed since by others, so left alone: ${list(left)}.`);
    words.push('What commands did is not undone.');
  } else if (steps.size > 0) words.push(`Files stay as they are: ${list([...steps.keys()])}.`);
  chat.note(words.join('\n'));
  if (what.conversation && chat.composer.isEmpty) chat.composer.setText(prompt.text);
}

async function resume(chat: ChatControls): Promise<void> {
  if (isWorking(chat)) return;
  const { directory } = chat.options;
  pick(
    chat,
    directory && (await pickSession(chat.conversation, directory)),
    'There is no other session in this folder.',
  );
}

/** Another agent knows nothing of this conversation, and is not told of it. */
async function changeAgent(chat: ChatControls, name: string): Promise<void> {
  if (isWorking(chat)) return;
  const { conversation, options } = chat;
  const { directory } = options;
  if (!directory) return chat.note('There is no other agent here.');
  const before = { agent: nameOfAgent(conversation), id: conversation.session?.id ?? '' };
  const tell = async (): Promise<void> => {
    const back = await options.resumeCommand?.(before.id);
    chat.note(
      `This is a new session with ${nameOfAgent(conversation)}. It knows nothing of what ${before.agent} was told; back to that: /resume${back === undefined ? '' : `, or ${back}`}`,
    );
  };
  if (name !== '') {
    await conversation.moveTo(await directory.openAgent(name));
    return tell();
  }
  const picker = await pickAgent(conversation, directory);
  if (!picker) return chat.note('There is no other agent here.');
  chat.dialogs.pick({
    ...picker,
    async pick(index) {
      const next = await picker.pick(index);
      await tell();
      return next;
    },
  });
}

/** `/queue 2` takes the second queued prompt back, `/queue` the last. */
function takeBack(chat: ChatControls, input: string): void {
  const number = Number(input);
  const text = input === '' ? chat.takeBack() : chat.conversation.takeBack(number - 1);
  if (text === undefined) chat.note(input === '' ? 'Nothing is queued.' : `There is no queued prompt ${input}.`);
  else chat.composer.setText(text);
}

async function showSession(chat: ChatControls): Promise<void> {
  const { session } = chat.conversation;
  if (!session) return chat.note('There is no session yet.');
  const command = await chat.options.resumeCommand?.(session.id);
  chat.note(command === undefined ? `Session ${session.id}` : `Session ${session.id}. Resume it with: ${command}`);
}
