import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

export interface FindProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Where a program is, as the system would find it; undefined when it would not. */
export function findProgram(command: string, { env, cwd }: FindProgramOptions): string | undefined {
  if (command === '') return undefined;
  const isPath = isAbsolute(command) || /[\\/]/.test(command);
  const folders = isPath ? [''] : (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  const endings = process.platform === 'win32' ? ['', ...(env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  for (const folder of folders) {
    for (const ending of endings) {
      const path = (isPath ? resolve(cwd, command) : join(folder, command)) + ending;
      if (isProgram(path)) return path;
    }
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
