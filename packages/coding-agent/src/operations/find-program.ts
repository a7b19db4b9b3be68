import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** The whole path of a program, when it is on the PATH. Relative entries do not count: they name whatever is around. */
export async function findProgram(name: string, path: string = process.env.PATH ?? ''): Promise<string | undefined> {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const program = join(folder, file);
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return undefined;
}
