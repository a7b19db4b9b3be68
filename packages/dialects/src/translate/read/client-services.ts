import { type Fields, rename } from '../../fields.ts';
import { readPairs } from '../../pairs.ts';
import type { TranslationContext } from '../context.ts';
import { keepFacts, restore } from '../kept-facts.ts';
import { type DialectState, terminalOf } from '../state.ts';
import { TRUNCATION_MARK } from '../truncation-mark.ts';

/** S4:665 calls the range `startLine` and `lineLimit`. */
export function readReadTextFile(params: Fields): Fields {
  return rename(rename(params, 'startLine', 'line'), 'lineLimit', 'limit');
}

/** S4:741 has the environment as a map. */
export function readCreateTerminal(params: Fields): Fields {
  return restore('env' in params ? { ...params, env: readPairs(params.env) } : params);
}

/** S4:776 answers `{ output, exitCode }` and never says that output was cut. */
export function readTerminalOutput(result: Fields, { request, state }: TranslationContext): Fields {
  const { exitCode, ...rest } = result;
  const isForeign = rest.truncated === undefined;
  const exited = isForeign && typeof exitCode === 'number' ? { exitStatus: readExit(exitCode) } : {};
  const read = restore(isForeign ? { ...rest, truncated: false, ...exited } : result);
  return limitOutput(isForeign ? withoutMark(read) : read, request.params.terminalId, state);
}

function withoutMark(result: Fields): Fields {
  const { output, truncated } = result;
  const isMarked = truncated === true && typeof output === 'string' && output.startsWith(TRUNCATION_MARK);
  return isMarked ? { ...result, output: output.slice(TRUNCATION_MARK.length) } : result;
}

/** S4:804 answers with the output as well; canonically it is asked for separately. */
export function readWaitForExit(result: Fields): Fields {
  const { output, exitCode, ...rest } = result;
  if (output === undefined) return result;
  return restore(keepFacts({ ...rest, ...readExit(exitCode) }, { output }));
}

/** v1 exit codes are unsigned; a negative one is kept beside. */
function readExit(exitCode: unknown): Fields {
  const isValid = Number.isInteger(exitCode) && (exitCode as number) >= 0 && (exitCode as number) <= 0xffff_ffff;
  const read = { exitCode: isValid ? exitCode : null, signal: null };
  return isValid || exitCode === null ? read : keepFacts(read, { exitCode });
}

/** S4 has no `outputByteLimit`, so the limit our agent asked for is kept here: the beginning is cut off. */
function limitOutput(result: Fields, terminalId: unknown, state: DialectState): Fields {
  const { outputByteLimit } = terminalOf(state, terminalId);
  const { output } = result;
  if (outputByteLimit === undefined || typeof output !== 'string') return result;
  const cut = lastBytes(output, outputByteLimit);
  return cut === output ? result : { ...result, output: cut, truncated: true };
}

/** The end of a text, at most so many bytes of UTF-8, beginning with a whole character. */
function lastBytes(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return text;
  let start = bytes.length - limit;
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return new TextDecoder().decode(bytes.subarray(start));
}
