import type { Intent } from './intent.ts';
import { MARK_PATTERN, type QuotedPart, unmask, unmaskRaw } from './mask-quotes.ts';
import { unmentioned } from './mentions.ts';
import { STEP_RULES, type StepParts } from './step-rules.ts';

/** What a step is read against: its quoted parts, and the file that "it" means. */
export interface StepContext {
  readonly quoted: readonly QuotedPart[];
  readonly lastPath: string | undefined;
}

/** Longer steps are prose, and the patterns below need not be tried on them. */
const MAX_STEP_CHARS = 2_000;

/** Reads one step. What fits no rule is unknown, never guessed. */
export function parseStep(step: string, context: StepContext): Intent {
  const unknown: Intent = { kind: 'unknown', text: unmaskRaw(step, context.quoted) };
  if (step.length > MAX_STEP_CHARS) return unknown;
  for (const { pattern, build } of STEP_RULES) {
    const groups = pattern.exec(step)?.groups;
    const intent = groups === undefined ? undefined : build(partsOf(groups, context));
    if (intent !== undefined) return intent;
  }
  return unknown;
}

const PRONOUN = /^(?:it|that|this|them|(?:the|that|this|same) file|there)$/i;
const WHOLE_QUOTE = new RegExp(`^${MARK_PATTERN}$`);

function partsOf(groups: Readonly<Record<string, string | undefined>>, { quoted, lastPath }: StepContext): StepParts {
  const text = (name: string): string => unmask(groups[name] ?? '', quoted).replace(/^ +| +$/g, '');
  return {
    text: (name) => (WHOLE_QUOTE.test(groups[name] ?? '') ? unmask(groups[name] ?? '', quoted) : text(name)),
    path: (name) => (PRONOUN.test(groups[name] ?? 'it') ? lastPath : unmentioned(unmask(groups[name] ?? '', quoted))),
    raw: (name) => {
      const group = groups[name] ?? '';
      return (WHOLE_QUOTE.test(group) ? unmask(group, quoted) : unmaskRaw(group, quoted)).trim();
    },
    has: (name) => groups[name] !== undefined,
  };
}
