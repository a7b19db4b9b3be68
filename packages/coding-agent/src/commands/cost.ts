import type { SlashCommand } from './command.ts';

export const cost: SlashCommand = {
  name: 'cost',
  description: 'Show the tokens used since the session was opened, and what they cost',
  async run({ turn, coding }) {
    const { inputTokens, outputTokens, cachedInputTokens } = coding.usage;
    const dollars = coding.cost > 0 ? `$${coding.cost.toFixed(4)}` : 'nothing that is known to cost money';
    turn.say(`${inputTokens} tokens read (${cachedInputTokens} of them cached), ${outputTokens} written: ${dollars}.`);
  },
};
