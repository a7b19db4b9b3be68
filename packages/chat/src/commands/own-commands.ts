import type { Transcript } from '@parley/client';
import { closest } from '@parley/host/json-files';
import type { AvailableCommand } from '@parley/protocol';
import { modesOf } from '../conversation/session-modes.ts';

/** The commands of the chat itself. A command of the agent with the same name goes before ours. */
export const OWN_COMMANDS: readonly (AvailableCommand & { readonly name: OwnCommandName })[] = [
  { name: 'help', description: 'Keys and commands' },
  { name: 'model', description: 'Choose the model', input: { hint: 'part of a name' } },
  { name: 'mode', description: 'Choose the mode', input: { hint: 'part of a name' } },
  { name: 'options', description: 'Change an option of the agent' },
  { name: 'queue', description: 'Take a queued prompt back', input: { hint: 'number' } },
  { name: 'diff', description: 'All changes of this session' },
  { name: 'rewind', description: 'Go back to before a prompt, with or without the files' },
  { name: 'new', description: 'Begin a new session' },
  { name: 'resume', description: 'Go on with another session of this folder' },
  { name: 'agent', description: 'Begin a new session with another agent', input: { hint: 'name' } },
  { name: 'restart', description: 'Start the agent again, and go on where that is possible' },
  { name: 'session', description: 'Show the session id and how to resume it' },
  { name: 'rename', description: 'Give this session a title', input: { hint: 'title' } },
  { name: 'login', description: 'Log in to the agent' },
  { name: 'quit', description: 'Leave' },
];

export type OwnCommandName =
  | 'help'
  | 'model'
  | 'mode'
  | 'options'
  | 'queue'
  | 'diff'
  | 'rewind'
  | 'new'
  | 'resume'
  | 'agent'
  | 'restart'
  | 'session'
  | 'rename'
  | 'login'
  | 'quit';

export interface OwnCommand {
  readonly name: OwnCommandName;
  readonly input: string;
}

/** The command of ours that a text calls; undefined when it is a prompt. */
export function readOwnCommand(text: string, agentCommands: readonly AvailableCommand[]): OwnCommand | undefined {
  const [, word, input = ''] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  if (word === undefined || agentCommands.some(({ name }) => name === word)) return undefined;
  const called = ALIASES[word] ?? word;
  const command = OWN_COMMANDS.find(({ name }) => name === called);
  return command && { name: command.name, input: input.trim() };
}

/**
 * The command of the chat that a text calls in a session. The agent's commands go before ours, except that `/model` and
 * `/mode` choose where there is something to choose.
 */
export function readCommand(text: string, transcript: Transcript | undefined): OwnCommand | undefined {
  const { commands = [], options = [] } = transcript ?? {};
  const isPicked = (name: string): boolean =>
    (name === 'mode' && modesOf(transcript).modes.length > 0) ||
    (name === 'model' && options.some(({ category }) => category === 'model'));
  return readOwnCommand(
    text,
    commands.filter(({ name }) => !isPicked(name)),
  );
}

/** What people type who come from other chats. */
const ALIASES: Readonly<Record<string, string>> = {
  exit: 'quit',
  config: 'options',
  settings: 'options',
  sessions: 'resume',
  changes: 'diff',
};

/** Holds a mistyped command back once: it is more likely a slip than a prompt, and is sent only when it is said twice. */
export class CommandDoubt {
  #doubted: string | undefined;

  /** What to tell instead of sending the text; undefined when it is to be sent. */
  look(text: string, commands: readonly AvailableCommand[]): string | undefined {
    const doubt = this.#doubted === text ? undefined : doubtCommand(text, commands);
    this.#doubted = doubt === undefined ? undefined : text;
    return doubt;
  }
}

/**
 * Says that nobody knows the command that a text begins with, and which one may be meant; undefined when it is a prompt
 * or a command that somebody knows. The agent may still understand it, so it can be sent nevertheless.
 */
export function doubtCommand(text: string, commands: readonly AvailableCommand[]): string | undefined {
  const [, name] = /^\/([A-Za-z][\w:.-]*)(?:\s|$)/.exec(text.trim()) ?? [];
  if (name === undefined || name in ALIASES) return undefined;
  const names = joinCommands(commands).map((command) => command.name);
  if (names.includes(name)) return undefined;
  const meant = closest(name, names).map((each) => `/${each}`);
  return `There is no command /${name}.${meant.length === 0 ? '' : ` Did you mean ${meant.join(' or ')}?`}`;
}

/** All commands that can be completed: the agent's own first. */
export function joinCommands(agentCommands: readonly AvailableCommand[]): AvailableCommand[] {
  const taken = new Set(agentCommands.map(({ name }) => name));
  return [...agentCommands, ...OWN_COMMANDS.filter(({ name }) => !taken.has(name))];
}
