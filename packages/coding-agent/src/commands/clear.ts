import type { SlashCommand } from './command.ts';

export const clear: SlashCommand = {
  name: 'clear',
  description: 'Let the model forget the conversation; the transcript stays',
  async run({ turn, coding }) {
    // A finished compaction stands for everything before it, also when the session is opened again; without a summary
    // it stands for nothing.
    turn.compaction().complete();
    coding.restartFrom([]);
    void turn.plan([]);
    void turn.say('Forgotten. The files stay as they are.');
  },
};
