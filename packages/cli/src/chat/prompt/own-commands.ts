import type { AvailableCommand } from '@parley/protocol';

/** The commands of the chat itself. A command of the agent with the same name goes before ours. */
export const OWN_COMMANDS: readonly AvailableCommand[] = [
  { name: 'help', description: 'Keys and commands' },
  { name: 'model', description: 'Choose the model' },
  { name: 'mode', description: 'Choose the mode' },
  { name: 'options', description: 'Change an option of the agent' },
  { name: 'queue', description: 'Take a queued prompt back', input: { hint: 'number' } },
  { name: 'new', description: 'Begin a new session' },
  { name: 'restart', description: 'Start the agent again, and go on where that is possible' },
  { name: 'session', description: 'Show the session id and how to resume it' },
  { name: 'login', description: 'Log in to the agent' },
  { name: 'quit', description: 'Leave' },
];

export interface OwnCommand {
  readonly name: string;
  readonly input: string;
}

/** The command of ours that a text calls; undefined when it is a prompt. */
export function readOwnCommand(text: string, agentCommands: readonly AvailableCommand[]): OwnCommand | undefined {
  const match = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const name = match?.[1];
  if (name === undefined || agentCommands.some((command) => command.name === name)) return undefined;
  if (name === 'exit') return { name: 'quit', input: '' };
  return OWN_COMMANDS.some((command) => command.name === name) ? { name, input: match?.[2]?.trim() ?? '' } : undefined;
}

/** All commands that can be completed: the agent's own first. */
export function joinCommands(agentCommands: readonly AvailableCommand[]): AvailableCommand[] {
  const taken = new Set(agentCommands.map(({ name }) => name));
  return [...agentCommands, ...OWN_COMMANDS.filter(({ name }) => !taken.has(name))];
}
