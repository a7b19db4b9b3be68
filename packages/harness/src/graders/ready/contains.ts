import { expectedText, quoted, type ReadyGrader, verdict } from './ready-grader.ts';

/** Is the text in the answer? Upper and lower case count the same. */
export const contains: ReadyGrader = {
  name: 'contains',
  says: 'the answer has the text, in upper or lower case',
  open: (argument) => (params) => {
    const text = expectedText(argument, params, 'contains');
    const pass = params.output.toLowerCase().includes(text.toLowerCase());
    return verdict(pass, `The answer has ${quoted(text)}.`, `${quoted(text)} is not in the answer.`);
  },
};
