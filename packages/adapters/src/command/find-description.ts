import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError, type CommandContext } from '@parley/host/command-line';
import { didYouMean } from '@parley/host/json-files';
import type { Description } from '../description/description.ts';
import { readDescription } from '../description/read-description.ts';
import { findReadyDescription, listReadyDescriptions } from '../ready/index.ts';

export interface FoundDescription {
  readonly description: Description;
  readonly file: string;
}

/** The description that a word means: a file, or one that comes with Parley. Throws when there is none, or when it is wrong. */
export async function findDescription(word: string, { cwd }: Pick<CommandContext, 'cwd'>): Promise<FoundDescription> {
  const file = resolve(cwd, word);
  if (existsSync(file)) return { file, description: await readDescription(file) };
  if (/[./\\]/.test(word)) throw noDescription(`There is no description ${file}.`);
  const ready = await findReadyDescription(word);
  if (ready) return ready;
  const names = (await listReadyDescriptions()).map(({ name }) => name);
  throw noDescription(`There is no description "${word}".${didYouMean(word, names)}`);
}

function noDescription(message: string): CliError {
  return new CliError('not_available', message, { next: ['parley adapt list', 'parley adapt record -- <command>'] });
}
