import { estimateTokens } from '../loop/compact.ts';
import { compactSession } from '../turn/compact-session.ts';
import type { SlashCommand } from './command.ts';

export const compact: SlashCommand = {
  name: 'compact',
  description: 'Shorten the conversation to a summary, to make room',
  async run({ turn, coding, model, request }) {
    const history = await coding.history(turn.id);
    if (history.length === 0) {
      void turn.say('There is nothing to shorten yet.');
      return;
    }
    const before = estimateTokens(history);
    const result = await compactSession({
      turn,
      coding,
      ...(await model()),
      history,
      request: request(),
      isRunning: false,
    });
    void turn.say(
      result.because === undefined
        ? `Shortened from about ${before} to ${estimateTokens(result.history)} tokens.`
        : `It was not shortened: ${result.because}`,
    );
  },
};
