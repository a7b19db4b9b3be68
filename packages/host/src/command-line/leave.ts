import { faultOf, isReaderGone } from '../output/output-fault.ts';
import { untilWritten } from '../output/write-out.ts';
import type { CommandContext } from './command-context.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { outputError } from './output-error.ts';

/** How long a reader that does not read may hold up our end once a signal has asked for it. */
const MAX_FLUSH_MS = 2000;

let isHurried = false;

/** Someone has asked this process to end: what nobody reads does not hold it up for long. */
export function hurry(): void {
  isHurried = true;
}

/**
 * Ends the process once everything it said has been written, whatever else may still be open. A reader may take as long
 * as it likes; Ctrl-C ends the wait. Output that could not be written is told, and gives an exit code of its own.
 */
export async function leave(
  exitCode: number,
  { stdout, stderr }: Pick<CommandContext, 'stdout' | 'stderr'>,
): Promise<void> {
  process.exitCode = exitCode;
  if (isHurried) setTimeout(() => process.exit(exitCode), MAX_FLUSH_MS).unref();
  // A timer keeps the process there: a pipe that nobody reads does not.
  const stay = setInterval(() => {}, 2 ** 30);
  await untilWritten(stdout);
  const fault = faultOf(stdout);
  const isLost = fault !== undefined && !isReaderGone(fault);
  const { code: lost } = EXIT_CODES.outputFailed;
  // A command that has failed has said why.
  if (fault && isLost && exitCode === 0) stderr.write(`parley: ${outputError(fault).message}\n`);
  await untilWritten(stderr);
  clearInterval(stay);
  process.exit(isLost && exitCode === 0 ? lost : exitCode);
}
