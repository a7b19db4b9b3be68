import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Description } from '../description/description.ts';
import { readDescription } from '../description/read-description.ts';

/** A description that comes with this package. */
export interface ReadyDescription {
  /** `claude-cli`: the command line, as opposed to an agent `claude` that speaks ACP itself. */
  readonly name: string;
  readonly file: string;
  /** A sample of its output, recorded. */
  readonly sample: string | undefined;
  readonly description: Description;
}

/** All of them, by name. */
export async function listReadyDescriptions(): Promise<readonly ReadyDescription[]> {
  const folder = join(packageFolder(), 'descriptions');
  const files = (await readdir(folder).catch(() => [])).toSorted();
  return Promise.all(
    files
      .filter((file) => file.endsWith('.json'))
      .map(async (file) => {
        const stem = basename(file, '.json');
        const sample = `${stem}.sample.jsonl`;
        return {
          name: nameOf(stem),
          file: join(folder, file),
          sample: files.includes(sample) ? join(folder, sample) : undefined,
          description: await readDescription(join(folder, file)),
        };
      }),
  );
}

/** The one that is meant by `claude-cli`, or by `claude`. */
export async function findReadyDescription(name: string): Promise<ReadyDescription | undefined> {
  return (await listReadyDescriptions()).find((each) => each.name === name || each.name === nameOf(name));
}

/** Where the schema of descriptions is, for editors. */
export function schemaFile(): string {
  return join(packageFolder(), 'schema', 'description.schema.json');
}

function nameOf(stem: string): string {
  return stem.endsWith('-cli') ? stem : `${stem}-cli`;
}

/** By the name of this package: a program has its code inside, and so lies elsewhere. */
function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('@parley/adapters/package.json'));
}
