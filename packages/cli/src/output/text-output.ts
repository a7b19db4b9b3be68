import { TextWriter } from '@parley/chat/view';
import type { TokenUsage, Transcript } from '@parley/client';
import { wordCost, wordTokens } from '@parley/session/view';
import { cleanText, createStyles, hasColor } from '@parley/terminal';
import type { CliContext } from '../context.ts';
import { describeDenial } from './describe-denial.ts';
import type { OutputSettings } from './output-settings.ts';
import { createProgress } from './progress.ts';
import type { RunOutput } from './run-output.ts';
import { textViewOptions } from './text-view-options.ts';

/** A readable account: what the agent says, and a line for each thing it does. */
export function createTextOutput(settings: OutputSettings, context: CliContext): RunOutput {
  const { stdout, stderr, cwd } = context;
  const progress = createProgress(context, { isSilent: settings.isQuietAboutProgress });
  const { bad, dim } = createStyles(hasColor(context, stderr, settings));
  const writer = new TextWriter({
    ...textViewOptions({ ...settings, cwd }, context, stdout),
    write: (text) => void stdout.write(text),
  });

  /** Agents tell what the whole session has cost so far. */
  let cost: Cost | undefined;

  return {
    wantsMessages: false,
    onMessage: () => {},
    onPhase: progress.onPhase,
    onSilence: progress.onSilence,
    onNotice: progress.say,
    onSession(sessionId, agent) {
      if (settings.isVerbose) progress.say(`session ${sessionId} with ${agent}`);
    },
    onEvent(event, transcript) {
      if (event.type === 'usage') cost = transcript.usage?.cost;
      writer.tell(event, transcript);
    },
    onEnd({ stopReason, error, usage, denials = [] }) {
      writer.endLine();
      if (stopReason !== undefined) writer.done(stopReason, wordSpent(usage, cost));
      for (const each of denials) for (const text of describeDenial(each)) progress.say(text);
      if (!error) return;
      stderr.write(`${bad('parley:')} ${cleanText(error.message)}\n`);
      for (const next of error.next) stderr.write(`${dim('try:')} ${next}\n`);
    },
  };
}

type Cost = NonNullable<NonNullable<Transcript['usage']>['cost']>;

/** What a turn took, as far as the agent told it. */
function wordSpent(usage: TokenUsage | undefined, cost: Cost | undefined): string[] {
  const { inputTokens = 0, outputTokens = 0, totalTokens = 0 } = usage ?? {};
  const isSplit = inputTokens + outputTokens > 0;
  return [
    ...(isSplit ? [`${wordTokens(inputTokens)} tokens in, ${wordTokens(outputTokens)} out`] : []),
    ...(!isSplit && totalTokens > 0 ? [`${wordTokens(totalTokens)} tokens`] : []),
    ...(cost && cost.amount > 0 ? [`session ${wordCost(cost)}`] : []),
  ];
}
