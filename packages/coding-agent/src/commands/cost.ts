import type { SlashCommand } from './command.ts';

export const cost: SlashCommand = {
  name: 'cost',
  description: 'Show the tokens this session has used, and what they cost',
  async run({ turn, coding }) {
    const { tokens, dollars } = coding.usage;
    const { inputTokens, outputTokens, cachedInputTokens } = tokens;
    const price = dollars > 0 ? `$${dollars.toFixed(4)}` : 'nothing that is known to cost money';
    void turn.say(
      `${inputTokens} tokens read (${cachedInputTokens} of them cached), ${outputTokens} written: ${price}.`,
    );
  },
};
