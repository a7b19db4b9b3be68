import { ParleyError } from '@parley/jsonrpc';
import type { ExitName } from './exit-codes.ts';

export type CliErrorCode =
  /** A flag, an argument or a combination of them. */
  | 'usage'
  /** A settings file that cannot be read or written. */
  | 'settings_invalid'
  | 'no_session'
  | 'unknown_agent'
  | 'agent_not_installed'
  | 'sandbox_missing'
  /** The time that `--timeout` gave has passed. */
  | 'timeout'
  | 'permission_denied'
  /** `--auth-policy fail`, and an agent that offers logins. */
  | 'login_not_chosen'
  | 'interrupted'
  /** Stdout, or the file that was asked for, does not take what is written. */
  | 'output_failed'
  /** Our own agent has no model, and the rules that take its place did not understand the prompt. */
  | 'no_model'
  /** The agent has answered where only the end of a turn can be received. */
  | 'answer_not_received'
  | 'trace_invalid'
  /** A replay that met something else than the trace has. */
  | 'trace_diverged'
  | 'not_available';

const EXITS: { readonly [Code in CliErrorCode]: ExitName } = {
  usage: 'usage',
  settings_invalid: 'usage',
  no_session: 'noSession',
  unknown_agent: 'usage',
  agent_not_installed: 'agentDied',
  sandbox_missing: 'agentDied',
  timeout: 'timeout',
  permission_denied: 'denied',
  login_not_chosen: 'authRequired',
  interrupted: 'interrupted',
  output_failed: 'outputFailed',
  no_model: 'noModel',
  answer_not_received: 'failed',
  trace_invalid: 'usage',
  trace_diverged: 'failed',
  not_available: 'failed',
};

/** Something that the person at the command line should read: what is wrong, and the next command to try. */
export class CliError extends ParleyError {
  override readonly name = 'CliError';
  readonly exit: ExitName;
  /** Commands or actions that help, best first. */
  readonly next: readonly string[];

  constructor(code: CliErrorCode, message: string, options: { next?: readonly string[]; cause?: unknown } = {}) {
    super(code, message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exit = EXITS[code];
    this.next = options.next ?? [];
  }
}

export function usageError(message: string, ...next: string[]): CliError {
  return new CliError('usage', message, { next });
}
