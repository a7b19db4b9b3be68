import { stat } from 'node:fs/promises';

/** What is wrong with a directory that a session is to work in; undefined when nothing is. */
export async function checkDirectory(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : 'this is not a directory';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such directory';
    // Somebody else may be allowed to look; what cannot be read fails where it is read.
    return undefined;
  }
}
