import { findOffer } from '@parley/models/discovery';
import type { SlashCommand } from './command.ts';

export const model: SlashCommand = {
  name: 'model',
  description: 'Show the models, or switch to one',
  hint: 'name of a model',
  async run({ turn, input, discovery }) {
    const { offers } = discovery;
    if (input === '') {
      const current = turn.session.options.model;
      const lines = offers.map(
        ({ id, name, description }) =>
          `- ${id === current ? '**' : ''}\`${id}\`${id === current ? '** (in use)' : ''}: ${name}, ${description}`,
      );
      void turn.say(`Models within reach:\n${lines.join('\n')}\n\nSwitch with \`/model <name>\`.`);
      return;
    }
    const match = findOffer(offers, input);
    if (match.kind === 'several') {
      void turn.say(`\`${input}\` may mean ${match.items.map(({ id }) => `\`${id}\``).join(', ')}.`);
      return;
    }
    if (match.kind === 'none') {
      void turn.say(`No model is called \`${input}\`. Type \`/model\` to see which there are.`);
      return;
    }
    const { item: offer } = match;
    turn.option('model', offer.id);
    void turn.say(`From now on: **${offer.name}**.`);
  },
};
