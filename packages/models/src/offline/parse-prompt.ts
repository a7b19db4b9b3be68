import { type Intent, isAction, subjectOf } from './intent.ts';
import { maskQuotes } from './mask-quotes.ts';
import { splitNamedFiles } from './named-files.ts';
import { parseStep, type StepContext } from './parse-step.ts';
import { MAX_STEPS, splitSteps, stripLeading } from './split-steps.ts';

export interface ParsedPrompt {
  readonly steps: readonly Intent[];
  /** The person asked for a plan first. */
  readonly isPlan: boolean;
  /** The steps are to be carried out now; false for a plan alone. */
  readonly isToBeDone: boolean;
}

export interface ParseOptions {
  /** What "it" means at the beginning: the last file of the conversation. */
  readonly lastPath?: string | undefined;
}

const MAX_PROMPT_CHARS = 200_000;
const PLAN = /^(?:make (?:me )?a plan|(?:make a )?plan)(?: (?:a|the|this) change)?(?: how)?(?: to|:|,| for)? */i;

/** After a change the diff is shown anyway; asked for by itself, it is git's. */
const DIFF = /^(?:show|view|display|print)(?: me)?(?: the)? diff$/i;

/** The agent's own request to shorten a conversation; the sentences that follow are no steps. */
const SUMMARY = /^summari[sz]e the conversation so far\b/i;

/** Reads a prompt: several sentences, quotes and backticks for arguments. Pure, total and without guesses. */
export function parsePrompt(prompt: string, options: ParseOptions = {}): ParsedPrompt {
  if (prompt.length > MAX_PROMPT_CHARS) {
    return { steps: [{ kind: 'unknown', text: `${prompt.slice(0, 80)}…` }], isPlan: false, isToBeDone: true };
  }
  if (SUMMARY.test(prompt)) return { steps: [{ kind: 'summarize' }], isPlan: false, isToBeDone: true };
  const { text, quoted } = maskQuotes(prompt);
  const asked = stripLeading(text.trim());
  const planned = PLAN.exec(asked)?.[0];
  const steps: Intent[] = [];
  let { lastPath } = options;
  for (const step of splitSteps(planned === undefined ? text : asked.slice(planned.length))) {
    for (const intent of readStep(step, { quoted, lastPath })) {
      lastPath = subjectOf(intent) ?? lastPath;
      if (intent.kind !== 'nothing' && steps.length < MAX_STEPS) steps.push(intent);
    }
  }
  if (steps.length === 0 && DIFF.test(asked)) steps.push({ kind: 'run', command: 'git diff', isBackground: false });
  const isPlan = planned !== undefined && steps.some(isAction);
  return {
    steps: isPlan ? steps.filter(({ kind }) => kind !== 'go') : steps,
    isPlan,
    isToBeDone: !isPlan || steps.some(({ kind }) => kind === 'go'),
  };
}

/** Several files in one step are several steps, if each of them makes sense. */
function readStep(step: string, context: StepContext): readonly Intent[] {
  const parts = splitNamedFiles(step);
  if (parts.length > 1) {
    const intents = parts.map((part) => parseStep(part, context));
    if (intents.every(({ kind }) => kind !== 'unknown')) return intents;
  }
  return [parseStep(step, context)];
}
