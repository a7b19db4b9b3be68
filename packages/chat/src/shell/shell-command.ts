import { cleanText } from '@parley/terminal';

/** `!command` runs here and is told to the agent with the next prompt; `!!command` runs here, and nobody hears of it. */
export interface ShellCommand {
  readonly command: string;
  readonly isPrivate: boolean;
}

/** Undefined when a text is no command for the shell. */
export function readShellCommand(text: string): ShellCommand | undefined {
  const [, marks = '', command = ''] = /^(!!?)\s*(\S[\s\S]*)$/.exec(text.trim()) ?? [];
  return command === '' ? undefined : { command: command.trimEnd(), isPrivate: marks === '!!' };
}

const TOLD = 'I have run this command here:';

/** Whether a text is what the agent was told of a command. */
export function isToldShellRun(text: string): boolean {
  return text.startsWith(`${TOLD}\n$ `);
}

/** The end of an output is what matters; an agent can run the command itself for more. */
const MAX_TOLD_CHARACTERS = 16_000;

/** What the agent is told of a command that the person has run. */
export function tellShellRun({ command }: ShellCommand, output: string, end: string | undefined): string {
  const clean = cleanText(output).trim();
  const cut = clean.length - MAX_TOLD_CHARACTERS;
  const shown = cut > 0 ? `(${cut} characters left out)\n${clean.slice(cut)}` : clean;
  return `${TOLD}\n$ ${command}\n${shown === '' ? '(no output)' : shown}${end === undefined ? '' : `\n(${end})`}`;
}
