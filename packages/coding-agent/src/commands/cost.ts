import type { SlashCommand } from './command.ts';

export const cost: SlashCommand = {
  name: 'cost',
  description: 'Show the tokens this session has used, and what they cost',
  async run({ turn, coding }) {
    const { tokens, dollars, isPartial } = coding.usage;
    const { inputTokens, outputTokens, cachedInputTokens } = tokens;
    const known = dollars > 0 ? `$${dollars.toFixed(4)}` : 'nothing that is known to cost money';
    const price = isPartial && dollars > 0 ? `at least ${known}; not all prices are known` : known;
    void turn.say(
      `${inputTokens} tokens read (${cachedInputTokens} of them cached), ${outputTokens} written: ${price}.`,
    );
  },
};
