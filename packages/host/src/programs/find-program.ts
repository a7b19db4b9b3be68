import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, resolve } from 'node:path';

export interface FindProgramOptions {
  /** Its PATH is searched. Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where relative paths start, those in PATH included. Without it they do not count: they name whatever is around. */
  readonly cwd?: string;
}

/** The whole path of a program, as the system would find it; undefined when it would not. */
export function findProgram(command: string, options: FindProgramOptions = {}): string | undefined {
  const { env = process.env, cwd } = options;
  if (command === '') return undefined;
  const isPath = isAbsolute(command) || /[\\/]/.test(command);
  const folders = isPath ? ['.'] : (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  const endings = process.platform === 'win32' ? ['', ...(env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';')] : [''];
  for (const folder of folders) {
    if (cwd === undefined && !isAbsolute(isPath ? command : folder)) continue;
    for (const ending of endings) {
      const path = resolve(cwd ?? folder, folder, command) + ending;
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
