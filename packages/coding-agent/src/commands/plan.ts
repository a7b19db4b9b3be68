import type { SlashCommand } from './command.ts';

export const plan: SlashCommand = {
  name: 'plan',
  description: 'Plan a change first; nothing is changed until you agree to the plan',
  hint: 'what to plan',
  async run({ turn, input, prompt }) {
    turn.mode('architect');
    if (input !== '') return prompt(`Plan a change: ${input}`);
    turn.say('Mode: **architect**. Say what you want to change; the plan is put to you before anything is done.');
    return undefined;
  },
};
