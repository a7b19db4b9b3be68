import { writePiece } from '@parley/host/output';
import type { CliContext } from '../context.ts';
import { describeDenial } from './describe-denial.ts';
import type { RunOutput } from './run-output.ts';
import { textPieces } from './text-pieces.ts';

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
    async onEnd({ error, exit, denials: [denial] = [] }, { text, signal }) {
      let last = '\n';
      for (const piece of textPieces(text)) {
        last = piece;
        if (!(await writePiece(stdout, piece, signal))) break;
      }
      if (!last.endsWith('\n')) stdout.write('\n');
      if (exit === 'denied' && denial && !error) stderr.write(`${describeDenial(denial).join('; ')}\n`);
      if (error) stderr.write(`parley: error: ${error.message.split('\n')[0]}\n`);
    },
  };
}
