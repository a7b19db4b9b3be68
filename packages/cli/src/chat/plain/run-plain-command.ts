import { chooseNumber, type Lines } from '../../questions/ask-in-lines.ts';
import { textOfLine } from '../../terminal/text/styled-text.ts';
import { wordPath } from '../../view/wording.ts';
import { viewChanges } from '../changes/changes-view.ts';
import { fileStepsOf } from '../changes/file-steps.ts';
import { readSessionChanges } from '../changes/session-changes.ts';
import type { ChatOptions } from '../chat-options.ts';
import type { Conversation } from '../conversation.ts';
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
import { joinCommands, type OwnCommand } from '../prompt/own-commands.ts';
import { restoreFiles } from '../rewind/restore-files.ts';

/** What a command of the plain chat works with. */
export interface PlainCommandContext {
  readonly options: ChatOptions;
  readonly conversation: Conversation;
  readonly lines: () => Lines;
  readonly say: (line: string) => void;
  readonly leave: () => void;
}

/** Does one of the chat's own commands, in lines. */
export async function runPlainCommand({ name, input }: OwnCommand, context: PlainCommandContext): Promise<void> {
  const command = COMMANDS[name];
  if (command) await command(context, input);
  else context.say(`note: /${name} is not available in plain mode`);
}

const COMMANDS: Readonly<Record<string, (context: PlainCommandContext, input: string) => Promise<void> | void>> = {
  quit: ({ leave }) => leave(),
  help({ conversation, say }) {
    for (const { name, description } of joinCommands(conversation.transcript?.commands ?? []))
      say(`  /${name}: ${description}`);
    say('  !command: run it here, and tell the agent with the next prompt; !!command tells nobody');
  },
  async session({ conversation, options, say }) {
    const id = conversation.session?.id ?? '';
    const command = await options.resumeCommand?.(id);
    say(`note: session ${id}${command === undefined ? '' : `; resume it with: ${command}`}`);
  },
  new: ({ conversation }) => conversation.beginSession(),
  restart: ({ conversation }) => conversation.restart(),
  model: (context, input) => choose(context, 'model', input, pickModel),
  mode: (context, input) => choose(context, 'mode', input, pickMode),
  options: (context) => pick(context, pickOption(context.conversation)),
  login(context) {
    const { conversation } = context;
    return pick(
      context,
      pickLogin(conversation.loginMethods, (methodId) => conversation.login(methodId)),
    );
  },
  async diff({ conversation, say, lines }) {
    const { transcript } = conversation;
    const view = lines().view();
    if (!transcript) return;
    for (const line of viewChanges(await readSessionChanges(transcript, view.cwd), view))
      say(textOfLine(line).trimEnd());
  },
  async resume(context) {
    const { conversation, options } = context;
    await pick(context, options.directory && (await pickSession(conversation, options.directory)));
  },
  async agent(context, input) {
    const { conversation, options, say } = context;
    const before = conversation.target.agent.title;
    if (!options.directory) return say('note: there is no other agent here');
    if (input === '') await pick(context, await pickAgent(conversation, options.directory));
    else await conversation.moveTo(await options.directory.openAgent(input));
    const { title } = conversation.target.agent;
    if (title !== before) say(`note: a new session with ${title}, which knows nothing of what ${before} was told`);
  },
  rewind: (context) =>
    pick(
      context,
      pickTurn(context.conversation, (prompt, what) => rewind(context, prompt, what)),
    ),
};

type Rewind = Parameters<typeof pickTurn>[1];

async function rewind(
  { conversation, say, lines }: PlainCommandContext,
  prompt: Parameters<Rewind>[0],
  what: Parameters<Rewind>[1],
): Promise<void> {
  const { transcript } = conversation;
  const { cwd, home } = lines().view();
  if (!transcript) return;
  const list = (paths: readonly string[]): string =>
    paths.map((path) => wordPath(path, cwd, home)).join(', ') || 'none';
  const steps = fileStepsOf(transcript, cwd, prompt.entry);
  if (what.conversation) {
    await conversation.rewind(prompt.turns);
    say('note: the agent knows nothing of that prompt, nor of what followed');
  }
  if (!what.files) return say(`note: files stay as they are: ${list([...steps.keys()])}`);
  const { restored, left } = await restoreFiles(steps);
  say(`note: files put back as before: ${list(restored)}; changed since by others, so left alone: ${list(left)}`);
  say('note: what commands did is not undone');
}

async function choose(
  context: PlainCommandContext,
  key: 'mode' | 'model',
  input: string,
  picker: (conversation: Conversation) => Picker | undefined,
): Promise<void> {
  const { conversation, say } = context;
  const chosen = input === '' ? picker(conversation) : await chooseByWord(conversation, key, input);
  if (typeof chosen === 'string') say(`note: ${chosen}`);
  else await pick(context, chosen);
}

async function pick(context: PlainCommandContext, picker: Picker | undefined): Promise<void> {
  const { say, lines } = context;
  if (!picker) return say('note: there is nothing to choose here');
  say(`question: ${picker.title}`);
  const index = await chooseNumber(
    picker.options.map(({ label }) => label),
    lines(),
  );
  const next = index === undefined ? undefined : await picker.pick(index);
  if (next) await pick(context, next);
}
