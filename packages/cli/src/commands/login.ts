import { Exit } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { logIn } from '../login/log-in.ts';

/** `parley login`: a key for our own agent, pasted once. */
export function configure(command: Command, context: CliContext): void {
  command
    .description('Store the key of a model provider for our own agent, for you alone to read. Nothing of it is shown.')
    .argument('[provider]', 'anthropic, openai, gemini, ...; without it, you choose one')
    .addHelpText(
      'after',
      `
From a pipe the key is read as it is: parley login anthropic < key-file
A variable such as ANTHROPIC_API_KEY goes before a stored key. parley logout
takes it away. Other agents have logins of their own: /login in the chat.`,
    )
    .action(async (provider: string | undefined) => {
      throw new Exit(await logIn(provider, context));
    });
}
