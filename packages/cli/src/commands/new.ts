import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

/** `parley new`: a project to begin with, which runs and passes its own test. */
export function configure(command: Command, context: CliContext): void {
  command
    .description('Make a new agent, client, adapter or grader that runs and passes its own test.')
    .usage('[options] <kind> <name>')
    .argument('<kind>', 'agent, client, adapter or grader')
    .argument('<name>', 'its name; also the folder it is written to')
    .option('-l, --language <language>', 'ts (default) or python')
    .option('-o, --output <folder>', 'write it there; the folder must not exist')
    .option('--minimal', 'only what runs: no test, no README')
    .addHelpText(
      'after',
      `
  agent     anything that answers prompts; any ACP client can start it
  client    a program that drives agents
  adapter   a description that makes a command-line agent speak ACP
  grader    judges what an agent did: JSON on stdin, JSON on stdout

Examples:
  parley new agent my-agent
  parley new agent my-agent --language python    needs only Python's library
  parley new grader my-grader -o graders/mine`,
    )
    .action(async (kind: string, name: string, flags: NewFlags) => {
      const { newProject } = await import('../new/new-project.ts');
      await newProject({ kind, name, ...flags }, context);
    });
}

interface NewFlags {
  readonly language?: string;
  readonly output?: string;
  readonly minimal?: boolean;
}
