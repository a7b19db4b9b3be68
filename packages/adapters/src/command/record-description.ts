import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { CliError, type CommandContext, usageError, watchInterruption } from '@parley/host/command-line';
import { shellLine } from '@parley/host/terminal';
import type { Description } from '../description/description.ts';
import { schemaFile } from '../ready/index.ts';
import { proposeDescription } from '../record/propose-description.ts';
import { recordCommand } from '../record/record-command.ts';
import { formatRecorded } from '../replay/recorded-lines.ts';
import { replayLines } from '../replay/replay-lines.ts';

export interface RecordDescriptionOptions {
  readonly words: readonly string[];
  readonly output?: string;
  readonly prompt?: string;
  readonly force?: boolean;
}

/** Runs a command, keeps its lines with their times, and writes a description that reads them; resolves to the exit code. */
export async function recordDescription(options: RecordDescriptionOptions, context: CommandContext): Promise<number> {
  const { words, prompt } = options;
  const { cwd, env, stdin, stdout, stderr } = context;
  const files = filesOf(options, context);
  const input = stdin.isTTY ? '' : await text(stdin);
  const hasInput = input !== '';
  using interruption = watchInterruption(context);
  const { lines, exit } = await recordCommand({
    argv: words,
    cwd,
    env,
    ...(hasInput && { input }),
    onLine: ({ ms, line }) => void stderr.write(`${String(ms).padStart(6)} ms  ${line}\n`),
    onStderr: (words) => void stderr.write(words),
    signal: interruption.signal,
  });
  const texts = lines.map(({ line }) => line);
  const proposed = proposeDescription({ argv: words, lines: texts, hasInput, ...(prompt !== undefined && { prompt }) });
  const description: Description = { $schema: pathToFileURL(schemaFile()).href, ...proposed };
  const json = `${JSON.stringify(description, null, 2)}\n`;
  if (!files) stdout.write(json);
  else {
    await Promise.all([writeFile(files.description, json), writeFile(files.sample, formatRecorded(lines))]);
  }
  const unseen = replayLines(description, texts).lines.filter(({ seenBy }) => seenBy.length === 0).length;
  stderr.write(
    `\n${lines.length} lines in, ${unseen} of them not understood yet; the command ended with ${exit.signal ?? exit.code}.\n`,
  );
  if (files) {
    const [written, sample] = [files.description, files.sample].map((file) => relative(cwd, file));
    stderr.write(`Written: ${written}, ${sample}\n`);
    stderr.write(`try: ${shellLine`parley adapt test ${written ?? ''}`}\n`);
    stderr.write(`try: ${shellLine`parley exec --agent ${written ?? ''}`} "hello"\n`);
  }
  return exit.code === 0 ? 0 : 1;
}

interface OutputFiles {
  readonly description: string;
  readonly sample: string;
}

function filesOf(
  { output, force = false }: RecordDescriptionOptions,
  { cwd }: CommandContext,
): OutputFiles | undefined {
  if (output === undefined) return undefined;
  if (!output.endsWith('.json')) throw usageError(`A description is a .json file; ${output} is none.`);
  const description = resolve(cwd, output);
  const sample = description.replace(/\.json$/, '.sample.jsonl');
  const taken = [description, sample].find(existsSync);
  if (taken === undefined || force) return { description, sample };
  throw new CliError('usage', `${taken} exists already.`, {
    next: ['--force writes over it', 'another name after -o'],
  });
}
