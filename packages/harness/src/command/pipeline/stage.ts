import { resolve } from 'node:path';
import { CliError, type CommandContext, exitCode, usageError, watchInterruption } from '@parley/host/command-line';
import type { Command } from 'commander';
import { HarnessError } from '../../errors.ts';
import type { Format } from '../../formats/format.ts';
import { openLineWriter } from '../../formats/line-writer.ts';
import { type Line, readJsonLines } from '../../formats/read-lines.ts';

export interface StageFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly progress?: boolean;
}

/** The flags that every stage of the pipeline has. */
export function addStageFlags(command: Command): Command {
  return command
    .option('-o, --output <file>', 'write there; stdout unless given')
    .option('--force', 'replace a file that exists')
    .option('--progress', 'say on stderr what is done');
}

export interface StageWork {
  readonly flags: StageFlags;
  /** Gives the lines to write, each with a name for who follows. */
  work(signal: AbortSignal): AsyncIterable<{ readonly name: string; readonly value: object }>;
}

/** Writes what a stage gives, line by line; resolves to the exit code. */
export async function runStage({ flags, work }: StageWork, context: CommandContext): Promise<number> {
  const { output = '-', force = false, progress = false } = flags;
  using interruption = watchInterruption(context);
  try {
    await using writer = await openLineWriter(output === '-' ? '-' : resolve(context.cwd, output), {
      mode: force ? 'replace' : 'new',
      stdout: context.stdout,
    });
    for await (const { name, value } of work(interruption.signal)) {
      await writer.write(value);
      if (progress) context.stderr.write(`${name}\n`);
    }
  } catch (error) {
    if (interruption.exit !== undefined) return exitCode(interruption.exit);
    throw explainHarness(error, output);
  }
  return 0;
}

/** The lines of the file that was named, or of stdin. */
export function readInput<Value>(
  file: string | undefined,
  format: Format<Value>,
  { cwd, stdin }: CommandContext,
): AsyncIterable<Line<Value>> {
  const source = file === undefined || file === '-' ? '-' : resolve(cwd, file);
  return readJsonLines(source, format, { stdin, ...(source !== '-' && file !== undefined && { name: file }) });
}

/** A file, a line or a grader that cannot be used is the person's to repair. */
export function explainHarness(error: unknown, output = '-'): unknown {
  if (!(error instanceof HarnessError)) return error;
  if ((error.cause as NodeJS.ErrnoException | undefined)?.code === 'EEXIST')
    return usageError(`${output} exists; nothing was written.`, '--force   (replace it)');
  return new CliError('usage', error.message, { cause: error });
}
