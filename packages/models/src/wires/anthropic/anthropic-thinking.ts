import type { ThinkingLevel } from '../../model/model.ts';

/**
 * How a Claude model lets its thinking be set: `adaptive` can be switched off, `always` cannot, `between_tools` has that
 * as its lowest setting, `opt_in` does not think unless told to, `budget` takes a number of tokens (4.5 and before).
 */
export type AnthropicThinking = 'adaptive' | 'always' | 'between_tools' | 'opt_in' | 'budget';

const BUDGETS: Readonly<Record<Exclude<ThinkingLevel, 'off'>, number>> = {
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  max: 32_768,
};

/** The answer itself must keep some room beside the thoughts. */
const MIN_ANSWER_TOKENS = 1_024;

/** Since 4.7 thoughts come back empty unless a summary is asked for, and with them the text between tool calls. */
const ADAPTIVE = { type: 'adaptive', display: 'summarized' } as const;

/** The request fields for a thinking level; none for a model left at its own default. */
export function thinkingFields(
  level: ThinkingLevel | undefined,
  style: AnthropicThinking,
  maxTokens: number,
): Readonly<Record<string, unknown>> {
  if (level === undefined) return style === 'opt_in' || style === 'budget' ? {} : { thinking: ADAPTIVE };
  if (level === 'off') return fieldsForOff(style);
  if (style !== 'budget') return { thinking: ADAPTIVE, output_config: { effort: level } };
  const budget = Math.min(BUDGETS[level], maxTokens - MIN_ANSWER_TOKENS);
  return budget < MIN_ANSWER_TOKENS ? {} : { thinking: { type: 'enabled', budget_tokens: budget } };
}

function fieldsForOff(style: AnthropicThinking): Readonly<Record<string, unknown>> {
  switch (style) {
    case 'adaptive':
      return { thinking: { type: 'disabled' } };
    case 'between_tools':
      return { thinking: { type: 'between_tools' } };
    case 'always':
      return { thinking: ADAPTIVE, output_config: { effort: 'low' } };
    case 'opt_in':
    case 'budget':
      return {};
  }
}
