import type { SlashCommand } from './command.ts';

export const plan: SlashCommand = {
  name: 'plan',
  description: 'Plan a change first; nothing is changed until you agree to the plan',
  hint: 'what to plan',
  asks: (input) => (input === '' ? undefined : `Plan a change: ${input}`),
  async run({ turn, input }) {
    turn.mode('architect');
    if (input !== '') return;
    void turn.say('Mode: **architect**. Say what you want to change; the plan is put to you before anything is done.');
  },
};
