import { usageError } from '@parley/host/command-line';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { COMPLETION_SCRIPTS } from './completion-scripts.ts';

/** `parley completion <shell>`: the script that a shell's settings load. */
export function configure(command: Command, context: CliContext): void {
  command
    .description('Completion for a shell.')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      `
  bash: echo 'eval "$(parley completion bash)"' >> ~/.bashrc
  zsh:  echo 'eval "$(parley completion zsh)"' >> ~/.zshrc
  fish: parley completion fish > ~/.config/fish/completions/parley.fish`,
    )
    .action(async (shell: string) => {
      const script = Object.hasOwn(COMPLETION_SCRIPTS, shell) ? COMPLETION_SCRIPTS[shell] : undefined;
      if (script === undefined)
        throw usageError(`There is no completion for "${shell}"; there is for bash, zsh and fish.`);
      context.stdout.write(script);
    });
}
