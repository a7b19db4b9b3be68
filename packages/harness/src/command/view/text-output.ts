import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError, type CommandContext, outputError, usageError } from '@parley/host/command-line';
import { faultOf, isReaderGone } from '@parley/host/output';

export interface TextOutput {
  /** Undefined and `-`: stdout. */
  readonly output: string | undefined;
  /** Files that are read meanwhile, and must not be written over. */
  readonly inputs: readonly string[];
}

/** Writes text piece by piece. A file takes its place when it is whole, so that an old one stays when something fails. */
export async function writeText(
  pieces: AsyncIterable<string> | Iterable<string>,
  { output, inputs }: TextOutput,
  context: CommandContext,
): Promise<void> {
  if (output === undefined || output === '-') {
    return writeToStdout(pieces, context);
  }
  const path = resolve(context.cwd, output);
  await refuseInputs(path, output, inputs);
  const part = `${path}.part-${process.pid}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await pipeline(Readable.from(pieces), createWriteStream(part));
    await rename(part, path);
  } catch (cause) {
    await rm(part, { force: true });
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === undefined || !['EACCES', 'EISDIR', 'ENOSPC', 'ENOTDIR', 'EROFS', 'EPERM', 'EEXIST'].includes(code))
      throw cause;
    throw new CliError('output_failed', `Cannot write ${output}: ${message}`, { cause });
  }
}

/** Waits for a slow reader, and stops when it has gone, as in `parley eval summarize results.jsonl | head`. */
async function writeToStdout(
  pieces: AsyncIterable<string> | Iterable<string>,
  { stdout }: CommandContext,
): Promise<void> {
  for await (const piece of pieces) {
    const isTaken = stdout.write(piece);
    if (!isTaken) await once(stdout, 'drain').catch(() => {});
    const fault = faultOf(stdout);
    if (isReaderGone(fault)) return;
    if (fault) throw outputError(fault);
  }
}

async function refuseInputs(path: string, output: string, inputs: readonly string[]): Promise<void> {
  const real = await realpath(path).catch(() => path);
  for (const input of inputs) {
    if (input !== '-' && (await realpath(input).catch(() => input)) === real) {
      throw usageError(`${output} is what is read; write to another file.`);
    }
  }
}
