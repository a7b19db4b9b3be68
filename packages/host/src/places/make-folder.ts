import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** For nobody else to look into. */
const PRIVATE = 0o700;

/**
 * Makes a folder and those above it that are missing; resolves to the first that was made. The recursive `mkdir` of Node
 * never ends below a folder that is there and says, as those of `/proc` do, that it is not when something is made in it.
 */
export async function makeFolder(path: string, mode: number = PRIVATE): Promise<string | undefined> {
  const above = dirname(path);
  try {
    return await makeOne(path, mode);
  } catch (error) {
    if (!isMissing(error) || above === path) throw error;
  }
  const first = await makeFolder(above, mode);
  const made = await makeOne(path, mode);
  return first ?? made;
}

/** The same for a thread that has nothing else to do. */
export function makeFolderSync(path: string, mode: number = PRIVATE): string | undefined {
  const above = dirname(path);
  try {
    return makeOneSync(path, mode);
  } catch (error) {
    if (!isMissing(error) || above === path) throw error;
  }
  const first = makeFolderSync(above, mode);
  const made = makeOneSync(path, mode);
  return first ?? made;
}

/** Undefined when there is one already. */
async function makeOne(path: string, mode: number): Promise<string | undefined> {
  try {
    await mkdir(path, { mode });
    return path;
  } catch (error) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return undefined;
    throw error;
  }
}

function makeOneSync(path: string, mode: number): string | undefined {
  try {
    mkdirSync(path, { mode });
    return path;
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
