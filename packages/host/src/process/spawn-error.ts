import { access, constants, stat } from 'node:fs/promises';
import { SpawnError } from './errors.ts';

/** Turns the system's answer to a failed spawn into an error that says what to do. */
export async function explainSpawnFailure(
  command: string,
  cwd: string | undefined,
  cause: unknown,
): Promise<SpawnError> {
  return new SpawnError(command, await findReason(command, cwd, codeOf(cause)), cause);
}

async function findReason(command: string, cwd: string | undefined, code: string): Promise<string> {
  // The system reports a missing cwd as a missing command.
  if (cwd !== undefined && !(await isDirectory(cwd))) {
    return `its working directory "${cwd}" is not a directory. Create it, or start the command in another one.`;
  }
  if (code === 'ENOENT' && !command.includes('/'))
    return 'no such command on the PATH. Install it, or give its full path.';
  if (code === 'ENOENT' && (await exists(command))) {
    return 'the interpreter that its first line names is missing. Install that interpreter.';
  }
  if (code === 'ENOENT') return 'no such file. Check the path.';
  if (code === 'EACCES' || code === 'EPERM')
    return 'it may not be executed. Make it executable (chmod +x), or check the path.';
  return `the system refused (${code}).`;
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
}

function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}
