import type { CliContext } from '../context.ts';
import { describeDenial } from './describe-denial.ts';
import type { RunOutput } from './run-output.ts';

/** The agent's answer and nothing else; errors are one line on stderr. */
export function createQuietOutput({ stdout, stderr }: CliContext): RunOutput {
  const nothing = (): void => {};
  return {
    wantsMessages: false,
    onMessage: nothing,
    onPhase: nothing,
    onSilence: nothing,
    onSession: nothing,
    onEvent: nothing,
    onNotice: nothing,
    onEnd({ text, error, exit, denials: [denial] = [] }) {
      if (text !== '') stdout.write(text.endsWith('\n') ? text : `${text}\n`);
      if (exit === 'denied' && denial && !error) stderr.write(`${describeDenial(denial).join('; ')}\n`);
      if (error) stderr.write(`parley: error: ${error.message.split('\n')[0]}\n`);
    },
  };
}
