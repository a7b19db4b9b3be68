import { headOf } from '@parley/models/model';
import type { Ask } from '../../operations/ask.ts';
import { type Input, objectSchema, optionalList, requireText, ToolInputError } from '../input.ts';
import { failure, failureFrom } from '../outcome.ts';
import type { Tool, ToolOutcome } from '../tool.ts';

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
      if (person.hasForms) {
        const answer = await person.ask(question, choices.length > 0 ? choices : undefined);
        return answer === undefined ? noAnswer('The person gave no answer.') : answered(answer);
      }
      if (choices.length === 0) return noAnswer('Nobody could be asked: this client has no way to put a question.');
      return await choose(ask, choices);
    } catch (error) {
      return failureFrom(error, signal);
    }
  },
};

/**
 * Most clients have no forms yet, but all of them can put a choice to the person. Many of them also answer permission requests
 * by themselves: with the first option, the first approval or the first rejection. So the first of each means "no answer", and
 * there are always several approvals, which a careful client never chooses from by rule.
 */
async function choose(ask: Ask, choices: readonly string[]): Promise<ToolOutcome> {
  const { optionId = '' } = await ask([
    { optionId: 'no-answer', name: 'No answer', kind: 'allow_once' },
    ...choices.map((name, index) => ({ optionId: `choice-${index}`, name, kind: 'allow_once' as const })),
    { optionId: 'none', name: 'None of these', kind: 'reject_once' },
  ]);
  const index = /^choice-(\d+)$/.exec(optionId)?.[1];
  const choice = index === undefined ? undefined : choices[Number(index)];
  if (choice !== undefined) return answered(choice);
  return noAnswer('Nobody could be asked, or the person chose none of these.');
}

function answered(answer: string): ToolOutcome {
  return { text: `The person answered: ${answer}`, rawOutput: { answer } };
}

/** A model that hears only "no answer" tends to pick one. */
function noAnswer(why: string): ToolOutcome {
  return failure(
    `${why} No answer was given: do not assume one. Go on only with work that needs no answer, or ask in your message.`,
  );
}
