import { writePieces } from '@parley/host/output';
import { RPC_ERROR_CODES } from '@parley/jsonrpc';
import type { CliContext } from '../context.ts';
import { describeDenial } from './describe-denial.ts';
import type { OutputSettings } from './output-settings.ts';
import { createProgress } from './progress.ts';
import type { RunOutput } from './run-output.ts';
import { createReadSuppressor } from './suppress-reads.ts';
import { jsonPieces, textPieces } from './text-pieces.ts';

/** The method of the last line, which no agent sends: every line of the output is a JSON-RPC message. */
export const OUTCOME_METHOD = '_parley/outcome';

/** Every protocol message of both directions as one line of JSON, and the outcome as the last line. */
export function createJsonOutput({ hidesReads, isQuietAboutProgress }: OutputSettings, context: CliContext): RunOutput {
  const { stdout } = context;
  const progress = createProgress(context, { isSilent: isQuietAboutProgress });
  const suppress = hidesReads ? createReadSuppressor() : (message: unknown): unknown => message;
  const print = (message: unknown): void => {
    stdout.write(`${JSON.stringify(message)}\n`);
  };
  return {
    wantsMessages: true,
    onMessage: (_direction, message) => print(suppress(message)),
    onPhase: progress.onPhase,
    onSilence: progress.onSilence,
    onSession: () => {},
    onEvent: () => {},
    onNotice: (text) => progress.say(text),
    async onEnd(outcome, { text, signal }) {
      const { error, sessionId, denials = [] } = outcome;
      for (const each of denials) for (const text of describeDenial(each)) progress.say(text);
      if (error && outcome.exit === 'outputFailed') context.stderr.write(`parley: ${error.message}\n`);
      if (error) {
        const data = { ...error, ...(sessionId !== undefined && { sessionId }) };
        print({
          jsonrpc: '2.0',
          id: null,
          error: { code: RPC_ERROR_CODES.internalError, message: error.message, data },
        });
      }
      const last = { jsonrpc: '2.0', method: OUTCOME_METHOD, params: { ...outcome, text: textPieces(text) } };
      await writePieces(stdout, jsonPieces(last), signal);
      stdout.write('\n');
    },
  };
}
