import { TurnError, type TurnResult } from '@parley/agent';
import { type ProcessExit, ProcessExitError } from '@parley/host/process';
import type { StopReason } from '@parley/session';
import type { Description } from '../description/description.ts';
import type { TurnOutput } from '../telling/turn-output.ts';

/** What is known of a turn when the command has done its part. */
export interface TurnFacts {
  readonly description: Description;
  readonly output: TurnOutput;
  /** How the process ended; undefined when it goes on. */
  readonly exit: ProcessExit | undefined;
  /** Its last words: on stderr, or what it wrote beside JSON. */
  readonly lastWords: string;
}

/** The stop reason of a turn; throws a `TurnError` in words for the person when it failed. */
export function concludeTurn({ description, output, exit, lastWords }: TurnFacts): TurnResult {
  const { result } = output;
  const stopReason = stopReasonOf(description, result?.stopReason);
  if (stopReason !== undefined) return stopReason;
  const name = description.command.join(' ');
  if (output.error !== undefined) throw failure(description, output.error, lastWords);
  if (result) return 'end_turn';
  if (exit && (exit.code !== 0 || exit.signal !== null))
    throw failure(description, new ProcessExitError(name, exit, lastWords).message, lastWords);
  if (!output.hasTold) {
    const words = lastWords.trim() === '' ? '' : `; its last words:\n${lastWords.trim().slice(-MAX_QUOTED)}`;
    throw failure(description, `"${name}" ended without an answer${words}`, lastWords);
  }
  return 'end_turn';
}

const MAX_QUOTED = 1000;
const AUTH_REQUIRED = -32000;
const STOP_REASONS: ReadonlySet<string> = new Set(['max_tokens', 'max_turn_requests', 'refusal', 'cancelled']);

function stopReasonOf({ stopReasons = {} }: Description, word: string | undefined): StopReason | undefined {
  if (word === undefined) return undefined;
  const known = Object.hasOwn(stopReasons, word) ? stopReasons[word] : undefined;
  return known ?? (STOP_REASONS.has(word) ? word : undefined);
}

/** An error for the person; one that is about a missing login says how to log in. */
export function failure({ login }: Description, message: string, lastWords = ''): TurnError {
  const said = `${message}\n${lastWords}`.toLowerCase();
  const isLogin = login?.when?.some((words) => said.includes(words.toLowerCase())) === true;
  if (login && isLogin) return new TurnError(`${login.hint}\n${message}`, { rpcCode: AUTH_REQUIRED });
  return new TurnError(message);
}
