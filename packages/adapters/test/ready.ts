import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FormatName } from '@parley/testing/command-lines';
import { type Description, readDescription } from '../src/index.ts';

const FOLDER = new URL('../descriptions/', import.meta.url);

/** The descriptions that come with this package. */
export const READY: readonly FormatName[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length) as FormatName);

export const sampleOf = (name: string): string => fileURLToPath(new URL(`${name}.sample.jsonl`, FOLDER));

export function readReady(name: string): Promise<Description> {
  return readDescription(fileURLToPath(new URL(`${name}.json`, FOLDER)));
}

/** The same with another program in the place of the first word. */
export function withProgram(description: Description, program: readonly string[]): Description {
  const { command, resume } = description;
  return {
    ...description,
    command: [...program, ...command.slice(1)],
    ...(resume && {
      resume: { ...resume, ...(resume.command && { command: [...program, ...resume.command.slice(1)] }) },
    }),
  };
}
