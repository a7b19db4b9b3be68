/** The words a step can begin with. */
const VERBS =
  'read|open|cat|show|view|display|print|list|ls|search|find|grep|look|replace|change|substitute|swap|create|write|make|add|append|' +
  'delete|remove|rm|move|rename|mv|run|execute|fetch|download|get|plan|ask|call|use|help|explain|summari[sz]e|' +
  'compare|do it|do that|go ahead|carry it out|implement it|git|npm';

const FILLERS = 'please|also|now|first|second|next|then|finally|afterwards|after that|lastly|kindly|just';

/** A politeness or an order word at the start of a step says nothing. */
const LEADING = new RegExp(
  `^(?:(?:${FILLERS}|and|ok|okay|so|hey|can you|could you|would you|will you|i want you to|i would like you to|let's|let us|you should)\\b[,:]? *)+`,
  'i',
);

/** A comma, semicolon, full stop, "and" or "then" ends a step only where the next one begins with a verb. */
const BORDER = new RegExp(
  `(?: ?[,;.!] +(?:and +)?| +and +| +(?=then\\b))(?:(?:${FILLERS}),? +)*(?=(?:${VERBS})\\b)`,
  'i',
);

const BULLET = /^(?:[-*•]|\d+[.)]) +/;
const BEGINS_WITH_VERB = new RegExp(`^(?:${VERBS})\\b`, 'i');

export const MAX_STEPS = 50;

/** Cuts masked text into steps: by line, by bullet, and inside a sentence where a new imperative begins. */
export function splitSteps(maskedText: string): readonly string[] {
  const steps: string[] = [];
  for (const line of maskedText.split(/\r?\n|\r/)) {
    const bare = line.replace(/\s+/g, ' ').trim();
    const text = bare.replace(BULLET, '');
    if (text === '') continue;
    const isNew = steps.length === 0 || text !== bare || BEGINS_WITH_VERB.test(stripLeading(text));
    if (!isNew) {
      steps.push(`${steps.pop() ?? ''} ${text}`);
      continue;
    }
    steps.push(...text.split(BORDER));
  }
  return steps
    .map((step) => stripLeading(step.trim()))
    .filter((step) => step !== '')
    .slice(0, MAX_STEPS);
}

/** Removes the words that come before the verb, and the full stop after the last word. */
export function stripLeading(text: string): string {
  return text.replace(LEADING, '').replace(/(?<=[\w\ue001)])[.!?]+$/, '');
}
