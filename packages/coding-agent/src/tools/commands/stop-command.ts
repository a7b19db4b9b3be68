import { type Input, objectSchema, requireText } from '../input.ts';
import { failure, failureFrom } from '../outcome.ts';
import type { Tool } from '../tool.ts';
import { tellExit } from './tell-exit.ts';

interface Args {
  readonly id: string;
}

export const stopCommand: Tool<Args> = {
  name: 'stop_command',
  kind: 'execute',
  level: 1,
  needsNoPermission: true,
  description: 'Ends a command in the background with everything it has started, and answers with its last output.',
  inputSchema: objectSchema({ id: { type: 'string', description: 'As run_command has named it: "command-1".' } }, [
    'id',
  ]),
  parse: (input: Input) => ({ id: requireText(input, 'id') }),
  describe: ({ id }) => ({ title: `Stop ${id}`, undo: 'Run the command again.' }),
  async run({ args: { id }, operations, signal }) {
    const command = operations.background.find(id);
    if (!command) return failure(`There is no command "${id}". command_output without an id lists them.`);
    try {
      const hadEnded = command.exit !== undefined;
      await command.stop();
      const exit = await command.exited;
      const text = (await command.output.takeNew()) || '(nothing new)';
      return {
        text: `${text}\n(${hadEnded ? `it had ended before: ${tellExit(exit)}` : 'stopped'})`,
        rawOutput: { ...exit, output: text },
      };
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};
