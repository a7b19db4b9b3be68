import { join } from 'node:path';
import { headOf } from '../text.ts';
import type { FileOperations } from '../tools/operations.ts';
import type { Instructions } from './system-prompt.ts';

/** Where projects write down what agents should know. The first that exists in a directory counts. */
const FILES = ['AGENTS.md', 'CLAUDE.md'] as const;
const MAX_CHARACTERS = 32_000;

/** Reads the instructions of each root. A file that cannot be read has nothing to say. */
export async function readInstructions(
  files: Pick<FileOperations, 'read'>,
  roots: readonly string[],
): Promise<readonly Instructions[]> {
  const found = await Promise.all(roots.map((root) => readFirst(files, root)));
  return found.filter((each) => each !== undefined);
}

async function readFirst(files: Pick<FileOperations, 'read'>, root: string): Promise<Instructions | undefined> {
  for (const name of FILES) {
    const path = join(root, name);
    const text = await files.read(path).catch(() => '');
    if (text.trim() !== '') return { path, text: headOf(text, MAX_CHARACTERS) };
  }
  return undefined;
}
