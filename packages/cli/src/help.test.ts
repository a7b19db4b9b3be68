import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from './commands/list.ts';
import { loadCommand } from './commands/load-command.ts';
import type { CliContext } from './context.ts';
import { createProgram } from './program.ts';

/** The help of a command, and of each command below it. */
async function helpOf(name?: string): Promise<string> {
  const stdout = new PassThrough();
  const context: CliContext = {
    env: {},
    cwd: '/',
    stdin: new PassThrough(),
    stdout,
    stderr: stdout,
    terminal: stdout,
    self: { command: 'parley', args: [] },
  };
  const program = createProgram(context, loadCommand);
  const entry = COMMANDS.find((each) => each.name === name);
  const command: Command = program.commands.find((each) => each.name() === name) ?? program;
  if (entry) {
    const { configure, runRaw } = await loadCommand(entry.name);
    if (runRaw) await runRaw(['--help'], context);
    else configure(command, context);
  }
  if (!entry?.readsOwnArguments) for (const each of [command, ...(entry ? command.commands : [])]) each.outputHelp();
  stdout.end();
  return text(stdout);
}

describe('help', () => {
  it.each([undefined, ...COMMANDS.map(({ name }) => name)])('of %s fits into 80 columns', async (name) => {
    const lines = (await helpOf(name)).split('\n');
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('shows the flags that all commands share in groups, where they are of use', async () => {
    const help = await helpOf('exec');
    const headings = ['\nOptions:', '\nAgent:', '\nSession:', '\nPermissions:', '\nOutput:', '\nExamples:'];
    const places = headings.map((heading) => help.indexOf(heading));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(help).toMatch(/\n {2}--non-interactive-permissions <deny\|fail>\n {20,}what a question becomes/);
    expect(await helpOf()).not.toContain('--permission-mode');
  });
});
