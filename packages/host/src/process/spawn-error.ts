import { access, constants, stat } from 'node:fs/promises';
import { SpawnError } from './errors.ts';

/** Turns the system's answer to a failed spawn into an error that says what to do. */
export async function explainSpawnFailure(
  command: string,
  cwd: string | undefined,
  cause: unknown,
): Promise<SpawnError> {
  const shown = command.length > MAX_SHOWN ? `${command.slice(0, MAX_SHOWN)}...` : command;
  return new SpawnError(shown, await findReason(command, cwd, codeOf(cause)), cause);
}

/** Characters of a command that an error repeats. */
const MAX_SHOWN = 200;

async function findReason(command: string, cwd: string | undefined, code: string): Promise<string> {
  // The system reports a missing cwd as a missing command.
  if (cwd !== undefined && !(await isDirectory(cwd))) {
    return `its working directory "${cwd}" is not a directory. Create it, or start the command in another one.`;
  }
  if (code === 'ERR_INVALID_ARG_VALUE') return 'its name is empty, or its name, an argument or a variable holds a NUL.';
  if (code === 'E2BIG') return 'its arguments and variables are longer than the system takes.';
  if (code === 'ENOENT' && /\s/.test(command.trim()) && !(await exists(command)))
    return 'there is no such command. It is run without a shell: put its arguments beside it, not into its name.';
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
