import { BEHAVIOUR_MODES } from '@parley/policy/modes';
import type { SlashCommand } from './command.ts';

export const mode: SlashCommand = {
  name: 'mode',
  description: 'Show the modes, or switch to one',
  hint: 'code, architect or ask',
  async run({ turn, input }) {
    if (Object.hasOwn(BEHAVIOUR_MODES, input)) {
      turn.mode(input);
      void turn.say(`Mode: **${input}**.`);
      return;
    }
    const lines = Object.values(BEHAVIOUR_MODES).map(({ id, description }) => `- \`${id}\`: ${description}`);
    const unknown = input === '' ? '' : `There is no mode \`${input}\`.\n\n`;
    void turn.say(`${unknown}Modes (now **${turn.session.mode ?? 'code'}**):\n${lines.join('\n')}`);
  },
};
