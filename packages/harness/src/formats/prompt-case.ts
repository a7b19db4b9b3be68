import { createFormat, type Format, INPUT, openObject, optional, RECORD, required, TEXT } from './format.ts';

/** One thing to ask an agent. */
export interface PromptCase {
  readonly id: string;
  /** Several texts are several turns of one session. */
  readonly input: string | readonly string[];
  /** What a good answer has; only graders see it. */
  readonly hint?: string;
  /** An answer that is right; `validate-refs` grades it. */
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Milliseconds for this case, in place of the run's. */
  readonly timeout?: number;
}

export const promptCase: Format<PromptCase> = createFormat({
  name: 'PromptCase',
  says: 'One thing to ask an agent.',
  shape: openObject<PromptCase>({
    id: required(TEXT, 'its name, which no other case has'),
    input: required(INPUT, 'what the agent is asked; a list is several turns of one session'),
    hint: optional(TEXT, 'what a good answer has; only graders see it'),
    reference: optional(TEXT, 'an answer that is right'),
    metadata: optional(RECORD, 'whatever else is to be said of it, such as its category'),
    timeout: optional({ type: 'number' }, "milliseconds for this case, in place of the run's"),
  }),
  renamed: { expected: 'hint' },
  findsTypos: true,
});
