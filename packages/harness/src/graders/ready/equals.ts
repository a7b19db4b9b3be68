import { expectedText, quoted, type ReadyGrader, verdict } from './ready-grader.ts';

/** Is the answer exactly the text? Space around it does not count. */
export const equals: ReadyGrader = {
  name: 'equals',
  says: 'the answer is the text, but for space around it',
  open: (argument) => (params) => {
    const text = expectedText(argument, params, 'equals').trim();
    const output = params.output.trim();
    return verdict(output === text, `The answer is ${quoted(text)}.`, `${quoted(output)} is not ${quoted(text)}.`);
  },
};
