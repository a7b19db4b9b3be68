import { type Input, objectSchema, requireText } from '../input.ts';
import type { Tool } from '../tool.ts';

interface Args {
  readonly thought: string;
}

export const think: Tool<Args> = {
  name: 'think',
  kind: 'think',
  level: 1,
  isQuiet: true,
  description: 'Notes a thought and changes nothing. Use it to work out a difficult step before acting.',
  inputSchema: objectSchema({ thought: { type: 'string' } }, ['thought']),
  parse: (input: Input) => ({ thought: requireText(input, 'thought') }),
  describe: () => ({ title: 'Think' }),
  run: async ({ args, operations }) => {
    operations.session.think(args.thought);
    return { text: 'Noted.' };
  },
};
