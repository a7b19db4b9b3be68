import type { CommandExit, CommandSandbox } from '../../operations/operations.ts';

/** How programs report a file that cannot be changed, and a network that is not there. */
const DENIALS =
  /read-only file system|\bEROFS\b|operation not permitted|permission denied|\bE(?:ACCES|PERM|BUSY)\b|resource busy|could not resolve|temporary failure in name resolution|name or service not known|network is unreachable|\bE(?:NETUNREACH|AI_AGAIN|NOTFOUND|CONNREFUSED)\b|connection refused|failed to connect/i;

const CHANGES: Readonly<Record<CommandSandbox, string>> = {
  reading: 'it can change no file',
  workspace: 'it can change files of the workspace only, except for protected ones',
};

/** What the model and the user should know where the sandbox may be why a command failed. */
export interface SandboxHint {
  readonly forModel: string;
  readonly forUser: string;
}

export function sandboxHint(
  sandbox: CommandSandbox | undefined,
  { exitCode }: CommandExit,
  output: string,
): SandboxHint | undefined {
  if (sandbox === undefined || exitCode === 0 || !DENIALS.test(output)) return undefined;
  const limits = `${CHANGES[sandbox]}, reach no network and read no credentials`;
  return {
    forModel: `\n(It ran in a sandbox: ${limits}. If that is why it failed, call the tool again with "outside_sandbox": true; the user is asked.)`,
    forUser: `(It ran in a sandbox, which may be why it failed: ${limits}. The agent can ask you to run it outside.)`,
  };
}
