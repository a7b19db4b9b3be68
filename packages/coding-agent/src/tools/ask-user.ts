import { type Input, objectSchema, requireText, ToolInputError } from './input.ts';
import type { Tool } from './tool.ts';

interface Args {
  readonly question: string;
  readonly choices: readonly string[];
}

const MAX_CHOICES = 10;

export const askUser: Tool<Args> = {
  name: 'ask_user',
  kind: 'think',
  level: 1,
  isQuiet: true,
  description:
    'Asks the person one question and answers with what they say. Use it only when you cannot go on without knowing.',
  inputSchema: objectSchema(
    {
      question: { type: 'string' },
      choices: {
        type: 'array',
        items: { type: 'string' },
        maxItems: MAX_CHOICES,
        description: 'What they may choose from.',
      },
    },
    ['question'],
  ),
  parse(input: Input) {
    const { choices = [] } = input;
    if (
      !Array.isArray(choices) ||
      choices.length > MAX_CHOICES ||
      choices.some((choice) => typeof choice !== 'string')
    ) {
      throw new ToolInputError(`"choices" must be a list of at most ${MAX_CHOICES} strings.`);
    }
    return { question: requireText(input, 'question'), choices: choices as string[] };
  },
  describe: ({ question }) => ({ title: question.length > 100 ? `${question.slice(0, 97)}...` : question }),
  async run({ args, operations }) {
    const answer = await operations.person.ask(args.question, args.choices.length > 0 ? args.choices : undefined);
    if (answer === undefined)
      return { text: 'The person gave no answer. Decide yourself, or ask in your message.', isError: true };
    return { text: `The person answered: ${answer}` };
  },
};
