import { agentSessionIdOf } from '@parley/session';
import { fileStepsOf } from '../changes/file-steps.ts';
import { nameOfAgent } from '../conversation/name-of-agent.ts';
import type { PastPrompt } from '../rewind/past-prompts.ts';
import { wordPath } from '../view/wording.ts';
import type { CommandContext } from './command-context.ts';
import type { OwnCommand, OwnCommandName } from './own-commands.ts';
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
  type WayBack,
} from './pickers.ts';

/** Does one of the chat's own commands. */
export async function runCommand({ name, input }: OwnCommand, chat: CommandContext): Promise<void> {
  await COMMANDS[name](chat, input);
}

type Run = (chat: CommandContext, input: string) => void | Promise<void>;

const COMMANDS: Readonly<Record<OwnCommandName, Run>> = {
  help: (chat) => chat.showHelp(),
  model: (chat, input) =>
    input === ''
      ? pick(chat, pickModel(chat.conversation), 'This agent lets nobody choose its model.')
      : choose(chat, 'model', input),
  mode: (chat, input) =>
    input === '' ? pick(chat, pickMode(chat.conversation), 'This agent has no modes.') : choose(chat, 'mode', input),
  options: (chat) => pick(chat, pickOption(chat.conversation), 'This agent has no options.'),
  queue: takeBack,
  diff: showChanges,
  rewind(chat) {
    if (isWorking(chat)) return;
    const picker = pickTurn(chat.conversation, (prompt, way) => rewind(chat, prompt, way));
    return pick(chat, picker, 'Nothing was said yet.');
  },
  async new(chat) {
    await chat.conversation.beginSession();
    chat.sendEarly();
  },
  resume,
  agent: changeAgent,
  async restart(chat) {
    await chat.conversation.restart();
    chat.sendEarly();
  },
  session: showSession,
  rename: renameSession,
  login(chat) {
    const { conversation } = chat;
    const picker = pickLogin(conversation.loginMethods, (methodId) => logIn(chat, methodId));
    return pick(chat, picker, 'This agent offers no way to log in over ACP.');
  },
  quit: (chat) => chat.leave(),
};

async function pick(chat: CommandContext, picker: Picker | undefined, missing: string): Promise<void> {
  if (picker) await chat.pick(picker);
  else chat.note(missing);
}

async function choose(chat: CommandContext, key: 'mode' | 'model', word: string): Promise<void> {
  const chosen = await chooseByWord(chat.conversation, key, word);
  if (typeof chosen === 'string') chat.note(chosen);
  else await chat.pick(chosen);
}

/** What would end a turn waits until the person has ended it. */
function isWorking({ conversation, note }: CommandContext): boolean {
  if (conversation.isBusy) note('The agent still works. Stop it with esc first, or wait.');
  return conversation.isBusy;
}

async function showChanges(chat: CommandContext): Promise<void> {
  const { transcript } = chat.conversation;
  if (!transcript) return chat.note('There is no session yet.');
  const [{ readSessionChanges }, { viewChanges }] = await Promise.all([
    import('../changes/session-changes.ts'),
    import('../changes/changes-view.ts'),
  ]);
  chat.print('changes', viewChanges(await readSessionChanges(transcript, chat.view.cwd), chat.view));
}

async function rewind(chat: CommandContext, prompt: PastPrompt, way: WayBack): Promise<void> {
  const { transcript } = chat.conversation;
  if (!transcript) return;
  const { restoreFiles } = await import('../rewind/restore-files.ts');
  const { cwd, home } = chat.view;
  const list = (paths: readonly string[]): string => paths.map((path) => wordPath(path, cwd, home)).join(', ');
  const words: string[] = [];
  const steps = fileStepsOf(transcript, cwd, prompt.entry);
  const before = chat.conversation.session?.id ?? '';
  if (way.conversation) {
    await chat.conversation.rewind(prompt.turns);
    words.push(`Before "${prompt.text.trim().split('\n')[0]}": the agent knows nothing of it, nor of what followed.`);
    words.push(`The session as it was: ${(await chat.options.resumeCommand?.(before)) ?? before}`);
  }
  if (way.files) {
    const { restored, left } = await restoreFiles(steps);
    words.push(restored.length > 0 ? `Put back as before: ${list(restored)}.` : 'No file had to be put back.');
    if (left.length > 0) words.push(`Changed since by others, so left alone: ${list(left)}.`);
    words.push('What commands did is not undone.');
  } else if (steps.size > 0) words.push(`Files stay as they are: ${list([...steps.keys()])}.`);
  chat.note(words.join('\n'));
  if (way.conversation) chat.setDraft(prompt.text);
}

async function resume(chat: CommandContext): Promise<void> {
  if (isWorking(chat)) return;
  const { directory } = chat.options;
  const picker = directory && (await pickSession(chat.conversation, directory));
  await pick(chat, picker, 'There is no other session in this folder.');
}

/** Another agent knows nothing of this conversation, and is not told of it. */
async function changeAgent(chat: CommandContext, name: string): Promise<void> {
  if (isWorking(chat)) return;
  const { conversation, options } = chat;
  const { directory } = options;
  if (!directory) return chat.note('There is no other agent here.');
  const before = { agent: nameOfAgent(conversation), id: conversation.session?.id ?? '' };
  const tell = async (): Promise<void> => {
    const command = await options.resumeCommand?.(before.id);
    const back = command === undefined ? '' : `; back to that: /resume, or ${command}`;
    chat.note(
      `This is a new session with ${nameOfAgent(conversation)}. It knows nothing of what ${before.agent} was told${back}`,
    );
  };
  if (name !== '') {
    await conversation.moveTo(await directory.openAgent(name));
    return tell();
  }
  const picker = await pickAgent(conversation, directory);
  if (!picker) return chat.note('There is no other agent here.');
  await chat.pick({
    ...picker,
    async pick(index) {
      const next = await picker.pick(index);
      await tell();
      return next;
    },
  });
}

/** A session keeps the model that it began with, also when there was none. */
async function logIn({ conversation, note }: CommandContext, methodId: string): Promise<void> {
  const { session, target } = conversation;
  const wasOffline = session !== undefined && (target.isOffline?.(session) ?? false);
  await conversation.login(methodId);
  if (!wasOffline) return;
  if (session.transcript.turns.length === 0) await conversation.beginSession();
  else note('This session stays with the offline model: /model changes it, /new begins another.');
}

/** `/queue 2` takes the second queued prompt back, `/queue` the last. */
function takeBack(chat: CommandContext, input: string): void {
  const number = Number(input);
  const text = input === '' ? chat.takeBack() : chat.conversation.takeBack(number - 1);
  if (text === undefined) chat.note(input === '' ? 'Nothing is queued.' : `There is no queued prompt ${input}.`);
  else if (!chat.setDraft(text)) chat.note(`Taken back: ${text}`);
}

async function showSession(chat: CommandContext): Promise<void> {
  const { session } = chat.conversation;
  if (!session) return chat.note('There is no session yet.');
  const id = chat.options.shownId?.(session.id) ?? session.id;
  const command = await chat.options.resumeCommand?.(session.id);
  const lines = [
    command === undefined ? `Session ${id}` : `Session ${id}. Resume it with: ${command}`,
    ...(id === session.id ? [] : [`The agent's own id of it: ${agentSessionIdOf(session)}`]),
  ];
  chat.note(lines.join('\n'));
}

async function renameSession(chat: CommandContext, title: string): Promise<void> {
  const { session } = chat.conversation;
  if (!session || !chat.options.rename) return chat.note('There is no session yet.');
  if (title === '') return chat.note('Write the title behind it: /rename <title>');
  const isKept = await chat.options.rename(session.id, title);
  chat.note(isKept ? `This session is called: ${title}` : 'Nothing was said yet, so there is nothing to keep.');
}
