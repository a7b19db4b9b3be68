import type { Writable } from 'node:stream';
import { faultOf, wordFault } from '../output/output-fault.ts';
import { untilWritten, writePieces } from '../output/write-out.ts';
import { CliError } from './errors.ts';

/** The error for output that is lost. */
export function outputError(fault: NodeJS.ErrnoException): CliError {
  return new CliError('output_failed', wordFault(fault), { cause: fault });
}

/** Writes output that must be complete to be useful: resolves when all of it is written, and throws otherwise. */
export async function writeWhole(stream: Writable, pieces: AsyncIterable<string> | Iterable<string>): Promise<void> {
  await writePieces(stream, pieces);
  await untilWritten(stream);
  const fault = faultOf(stream);
  if (fault) throw outputError(fault);
}
