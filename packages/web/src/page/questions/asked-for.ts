import { requestFromToolCall } from '@parley/policy/request';
import { textOfToolCall } from '@parley/protocol';
import { type PermissionQuestion, toolCallToV1 } from '@parley/session';
import { visibleText } from '../text/visible-text.ts';

/** What a permission is asked for, exactly. */
export interface AskedFor {
  readonly title: string;
  /** What the agent says beside the title. */
  readonly words: readonly string[];
  /** The command as it will be run, and where. */
  readonly command?: string;
  readonly cwd?: string;
  readonly url?: string;
  /** Text that the call shows, where it says more than the command. */
  readonly text?: string;
  readonly paths: readonly string[];
}

const MAX_COMMAND_CHARACTERS = 20_000;

/** Reads a question into what a person has to know before an answer. */
export function readAskedFor(question: PermissionQuestion, sessionCwd: string): AskedFor {
  const { toolCall, title, description, subject } = question;
  const { command: input, cwd, url } = requestFromToolCall(toolCallToV1(toolCall));
  const told = subject?.type === 'command' ? subject : undefined;
  const command = told?.command ?? (input && wordCommand(input));
  const text = textOfToolCall(toolCall.content ?? []).trim();
  const content = toolCall.content ?? [];
  const hasDiffs = content.some((part) => part.type === 'diff' || part.type === 'changes');
  const name = title ?? toolCall.title ?? toolCall.name ?? toolCall.kind ?? 'a tool call';
  const callTitle = title === undefined || toolCall.title === command ? undefined : toolCall.title;
  return {
    title: name,
    words: [callTitle, description].flatMap((words) => (words ? [words] : [])),
    ...(command !== undefined && { command: cap(visibleText(command)), cwd: told?.cwd ?? cwd ?? sessionCwd }),
    ...(url !== undefined && { url }),
    ...(text !== '' && !hasDiffs && text !== command?.trim() && { text }),
    paths: hasDiffs
      ? []
      : [...new Set((toolCall.locations ?? []).map(({ path }) => path))].filter((path) => !name.includes(path)),
  };
}

type CommandInput = NonNullable<ReturnType<typeof requestFromToolCall>['command']>;

function wordCommand(command: CommandInput): string {
  if (command.type === 'unclear') return command.text;
  const variables = Object.entries(command.environment ?? {}).map(([name, value]) => `${name}=${quote(value)} `);
  return variables.join('') + (command.type === 'arguments' ? command.words.map(quote).join(' ') : command.line);
}

/** A word as a shell would be given it. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function cap(text: string): string {
  if (text.length <= MAX_COMMAND_CHARACTERS) return text;
  return `${text.slice(0, MAX_COMMAND_CHARACTERS)}\n… and ${text.length - MAX_COMMAND_CHARACTERS} more characters`;
}
