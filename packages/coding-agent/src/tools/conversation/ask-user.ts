import { headOf } from '../../text.ts';
import type { Ask } from '../ask.ts';
import { type Input, objectSchema, optionalList, requireText, ToolInputError } from '../input.ts';
import { failureFrom } from '../outcome.ts';
import type { Tool } from '../tool.ts';

interface Args {
  readonly question: string;
  readonly choices: readonly string[];
}

const MAX_CHOICES = 10;

export const askUser: Tool<Args> = {
  name: 'ask_user',
  kind: 'think',
  level: 1,
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
    const choices = optionalList(input, 'choices') ?? [];
    if (choices.length > MAX_CHOICES || choices.some((choice) => typeof choice !== 'string')) {
      throw new ToolInputError(`"choices" must be a list of at most ${MAX_CHOICES} strings.`);
    }
    return { question: requireText(input, 'question'), choices: choices as string[] };
  },
  describe: ({ question }) => ({ title: `Ask: ${question.length > 100 ? `${headOf(question, 97)}...` : question}` }),
  async run({ args, operations: { person }, ask, signal }) {
    const { question, choices } = args;
    try {
      const answer = person.hasForms
        ? await person.ask(question, choices.length > 0 ? choices : undefined)
        : await choose(ask, choices);
      if (answer !== undefined) return { text: `The person answered: ${answer}`, rawOutput: { answer } };
      return { text: 'The person gave no answer. Decide yourself, or ask in your message.', isError: true };
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};

/** Most clients have no forms yet, but all of them can put a choice to the person. */
async function choose(ask: Ask, choices: readonly string[]): Promise<string | undefined> {
  if (choices.length === 0) return undefined;
  const { optionId } = await ask([
    ...choices.map((name, index) => ({ optionId: `choice-${index}`, name, kind: 'allow_once' as const })),
    { optionId: 'none', name: 'None of these', kind: 'reject_once' },
  ]);
  const index = /^choice-(\d+)$/.exec(optionId ?? '')?.[1];
  return index === undefined ? undefined : choices[Number(index)];
}
