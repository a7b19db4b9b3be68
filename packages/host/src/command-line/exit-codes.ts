/** The ways in which a run can end. */
export type ExitName =
  | 'ok'
  | 'failed'
  | 'usage'
  | 'timeout'
  | 'noSession'
  | 'denied'
  | 'agentDied'
  | 'authRequired'
  | 'refusal'
  | 'limit'
  | 'outputFailed'
  | 'noModel'
  | 'interrupted'
  | 'terminated';

/** Every exit code of the command, with what it means; `--help` and docs/cli.md print this list. */
export const EXIT_CODES: Readonly<Record<ExitName, { readonly code: number; readonly means: string }>> = {
  ok: { code: 0, means: 'done' },
  failed: { code: 1, means: 'the agent, the protocol or this program failed' },
  usage: { code: 2, means: 'the command line or a settings file is wrong' },
  timeout: { code: 3, means: 'a deadline passed' },
  noSession: { code: 4, means: 'there is no such session' },
  denied: { code: 5, means: 'the agent asked for permission and got none' },
  agentDied: { code: 6, means: 'the agent could not be started, or it ended by itself' },
  authRequired: { code: 7, means: 'the agent wants you to log in first' },
  refusal: { code: 8, means: 'the agent refused to go on' },
  limit: { code: 9, means: 'the agent reached its token or request limit' },
  outputFailed: { code: 10, means: 'the output could not be written: a full disk, or a reader that left' },
  noModel: { code: 11, means: 'our own agent has no model, and its rules did not understand the prompt' },
  interrupted: { code: 130, means: 'interrupted, or the turn was cancelled' },
  terminated: { code: 143, means: 'ended by SIGTERM' },
};

/** Which exit codes a script expects: ours, or only those that acpx has. */
export type ExitCodeSet = 'distinct' | 'acpx';

/** acpx tells fewer things apart: what it has no code for is a failure, and how a turn ended does not count. */
const AS_ACPX: Partial<Readonly<Record<ExitName, number>>> = {
  agentDied: 1,
  authRequired: 1,
  refusal: 0,
  limit: 0,
  outputFailed: 1,
  noModel: 0,
  terminated: 1,
};

export function exitCode(name: ExitName, set: ExitCodeSet = 'distinct'): number {
  return (set === 'acpx' ? AS_ACPX[name] : undefined) ?? EXIT_CODES[name].code;
}

/** The list as lines for people. */
export function describeExitCodes(): string {
  return Object.values(EXIT_CODES)
    .map(({ code, means }) => `  ${String(code).padEnd(4)} ${means}`)
    .join('\n');
}

/** Ends the run with an exit code that is not an error; thrown by actions. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}
