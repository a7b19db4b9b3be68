import { estimateTokens } from '../loop/compact.ts';
import { compactSession } from '../session/run-prompt.ts';
import type { SlashCommand } from './command.ts';

export const compact: SlashCommand = {
  name: 'compact',
  description: 'Shorten the conversation to a summary, to make room',
  async run({ turn, coding, model }) {
    // The log already holds this command itself, which is nothing to summarize.
    const history = (await coding.history()).filter((message) => !isThisCommand(message, turn.text));
    if (history.length === 0) {
      turn.say('There is nothing to shorten yet.');
      return;
    }
    const before = estimateTokens(history);
    const after = estimateTokens(await compactSession({ turn, coding, model: await model(), history }));
    turn.say(after < before ? `Shortened from about ${before} to ${after} tokens.` : 'It is as short as it gets.');
  },
};

function isThisCommand(message: { readonly role: string; readonly content?: unknown }, text: string): boolean {
  return message.role === 'user' && JSON.stringify(message.content) === JSON.stringify([{ type: 'text', text }]);
}
