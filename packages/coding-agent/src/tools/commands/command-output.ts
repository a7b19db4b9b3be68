import type { BackgroundCommands } from '../../operations/operations.ts';
import { type Input, objectSchema, optionalInteger, optionalText } from '../input.ts';
import { failure, failureFrom } from '../outcome.ts';
import type { Tool, ToolOutcome } from '../tool.ts';
import { tellExit } from './tell-exit.ts';
import { exitWithin } from './wait-for-exit.ts';

interface Args {
  readonly id: string | undefined;
  readonly waitSeconds: number;
}

const MAX_WAIT_SECONDS = 600;

export const commandOutput: Tool<Args> = {
  name: 'command_output',
  kind: 'execute',
  level: 1,
  needsNoPermission: true,
  isCancellable: true,
  description:
    'Answers with what a command in the background has written since the last look, and whether it still runs. With "wait_seconds" it waits until the command has ended, at most so long. Without "id" it lists the commands.',
  inputSchema: objectSchema(
    {
      id: { type: 'string', description: 'As run_command has named it: "command-1".' },
      wait_seconds: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS },
    },
    [],
  ),
  parse: (input: Input) => ({
    id: optionalText(input, 'id'),
    waitSeconds: optionalInteger(input, 'wait_seconds', { min: 0, max: MAX_WAIT_SECONDS }) ?? 0,
  }),
  describe: ({ id, waitSeconds }) => ({
    title:
      id === undefined
        ? 'List background commands'
        : waitSeconds > 0
          ? `Wait for ${id}`
          : `Look at the output of ${id}`,
    undo: 'It changes nothing.',
  }),
  async run({ args: { id, waitSeconds }, operations, signal }) {
    if (id === undefined) return list(operations.background);
    const command = operations.background.find(id);
    if (!command) return failure(`There is no command "${id}".\n${list(operations.background).text}`);
    try {
      const exit = command.exit ?? (await exitWithin(command.exited, waitSeconds * 1000, signal));
      const text = (await command.output.takeNew()) || '(nothing new)';
      const how = exit ? tellExit(exit) : 'it still runs';
      return { text: `${text}\n(${how})`, rawOutput: { isRunning: exit === undefined, ...exit, output: text } };
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};

function list(commands: BackgroundCommands): ToolOutcome {
  const lines = commands
    .list()
    .map(({ id, line, exit }) => `${id} (${exit ? tellExit(exit) : 'it still runs'}): ${line}`);
  return { text: lines.join('\n') || 'No command was started in the background.', rawOutput: { count: lines.length } };
}
