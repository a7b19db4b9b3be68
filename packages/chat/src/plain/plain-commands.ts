import { textOfLine } from '@parley/terminal';
import type { CommandContext } from '../commands/command-context.ts';
import { joinCommands, type OwnCommand } from '../commands/own-commands.ts';
import type { Picker } from '../commands/pickers.ts';
import { runCommand } from '../commands/run-command.ts';
import type { ChatOptions } from '../conversation/chat-options.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { chooseNumber, type Lines } from '../questions/ask-in-lines.ts';

export interface PlainCommandOptions {
  readonly options: ChatOptions;
  readonly conversation: Conversation;
  readonly lines: () => Lines;
  readonly say: (line: string) => void;
  readonly leave: () => void;
}

/** Does one of the chat's own commands in lines. */
export function runInLines(
  command: OwnCommand,
  { options, conversation, lines, say, leave }: PlainCommandOptions,
): Promise<void> {
  const note = (text: string): void => {
    for (const line of text.split('\n')) say(`note: ${line}`);
  };
  const context: CommandContext = {
    options,
    conversation,
    get view() {
      return lines().view();
    },
    note,
    print: (_kind, shown) => {
      for (const line of shown) say(textOfLine(line).trimEnd());
    },
    pick: (picker) => pickInLines(picker, lines(), say),
    showHelp() {
      for (const { name, description } of joinCommands(conversation.transcript?.commands ?? []))
        say(`  /${name}: ${description}`);
      say('  !command: run it here, and tell the agent with the next prompt; !!command tells nobody');
    },
    leave,
    takeBack: () => conversation.takeBack(),
    setDraft: () => false,
    sendEarly: () => {},
  };
  return runCommand(command, context);
}

async function pickInLines(picker: Picker, lines: Lines, say: (line: string) => void): Promise<void> {
  say(`question: ${picker.title}`);
  const index = await chooseNumber(
    picker.options.map(({ label }) => label),
    lines,
  );
  const next = index === undefined ? undefined : await picker.pick(index);
  if (next) await pickInLines(next, lines, say);
}
