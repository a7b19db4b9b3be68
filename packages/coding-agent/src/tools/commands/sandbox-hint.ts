import type { CommandExit, CommandSandbox } from '../../operations/operations.ts';

/** How programs report a file that cannot be changed, and a network that is not there. */
const DENIALS =
  /read-only file system|\bEROFS\b|operation not permitted|permission denied|\bE(?:ACCES|PERM|BUSY)\b|resource busy|could not resolve|temporary failure in name resolution|name or service not known|network is unreachable|\bE(?:NETUNREACH|AI_AGAIN|NOTFOUND|CONNREFUSED)\b|connection refused|failed to connect/i;

const CHANGES: Readonly<Record<CommandSandbox, string>> = {
  reading: 'it can change no file',
  workspace: 'it can change files of the workspace only, except for protected ones',
};

/** What the model should know where the sandbox may be why a command failed; empty otherwise. */
export function sandboxHint(sandbox: CommandSandbox | undefined, { exitCode }: CommandExit, output: string): string {
  if (sandbox === undefined || exitCode === 0 || !DENIALS.test(output)) return '';
  return `\n(It ran in a sandbox: ${CHANGES[sandbox]}, reach no network and read no credentials. If that is why it failed, call the tool again with "outside_sandbox": true; the user is asked.)`;
}
