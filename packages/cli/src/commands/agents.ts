import type { Command } from 'commander';
import { addAgent, removeAgent } from '../agents/add-agent.ts';
import { listAgents } from '../agents/list-agents.ts';
import { showAgent } from '../agents/show-agent.ts';
import { updateRegistry } from '../agents/update-registry.ts';
import type { CliContext } from '../context.ts';

/** `parley agents`: which agents there are, and how to reach them. */
export function configure(command: Command, context: CliContext): void {
  command.description('List, add, remove and show agents. Any command line works wherever an agent name does.');
  command
    .command('list', { isDefault: true })
    .description('every agent that can be named, and whether it is there')
    .option('--all', 'also agents of the ACP registry that are not installed')
    .option('--json', 'as JSON')
    .action(async (flags: { readonly all?: boolean; readonly json?: boolean }) => {
      await listAgents(flags, context);
    });
  command
    .command('show')
    .description('how an agent is started, and what it says of itself')
    .argument('<name>', 'an agent or a command line')
    .option('--json', 'as JSON')
    .option('--connect', 'start it and ask')
    .action(async (name: string, flags: { readonly json?: boolean; readonly connect?: boolean }) => {
      await showAgent(name, flags, context);
    });
  command
    .command('add')
    .description('add an agent to the settings')
    .usage('[options] <name> [-- <command> [args...]]')
    .argument('<name>', 'its name; without a command, an agent of the ACP registry')
    .argument('[command...]', 'the command that starts it, or its address')
    .option('--env <name=value>', 'a variable for it (repeat)', (value: string, all: string[] = []) => [...all, value])
    .option('--default', 'talk to it when no agent is named')
    .action(async (name: string, words: readonly string[], flags: { env?: readonly string[]; default?: boolean }) => {
      await addAgent({ name, words, ...flags }, context);
    });
  command
    .command('remove')
    .description('remove an agent from the settings')
    .argument('<name>')
    .action(async (name: string) => {
      await removeAgent(name, context);
    });
  command
    .command('update')
    .description('fetch the ACP registry, which says how to get agents')
    .option('--from <file|url>', 'take it from there')
    .action(async (flags: { readonly from?: string }) => {
      await updateRegistry(flags, context);
    });
}
