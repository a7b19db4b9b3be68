import { ParleyError, type RpcError } from '@parley/jsonrpc';
import type { AuthMethod } from '@parley/protocol';
import { redactText } from '@parley/session/traces/redact';
import type { Phase } from './phase.ts';

export type AgentErrorCode =
  /** It could not be started or reached at all. */
  | 'agent_unreachable'
  /** Its process ended. */
  | 'agent_exited'
  /** The wire to it was cut. */
  | 'connection_lost'
  /** A phase took longer than its deadline. */
  | 'deadline_passed'
  /** It speaks no version of ACP that we speak. */
  | 'unsupported_version'
  /** It answered with something that the protocol does not allow. */
  | 'invalid_answer';

/** What is known of an agent's end, or of its last words so far. */
export interface AgentEnd {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly stderrTail?: string;
  /** Lines on its output that were not messages. */
  readonly noiseLines?: number;
  /** The first of them. */
  readonly firstNoise?: string;
}

export interface AgentErrorOptions {
  readonly code: AgentErrorCode;
  readonly message: string;
  /** Which agent, as the person would write it: its command or its address. */
  readonly agent: string;
  readonly phase?: Phase | undefined;
  readonly end?: AgentEnd | undefined;
  readonly cause?: unknown;
}

/** Something went wrong with the agent itself: it names the agent, the phase, and how the process ended. */
export class AgentError extends ParleyError {
  override readonly name = 'AgentError';
  readonly agent: string;
  readonly phase: Phase | undefined;
  readonly exitCode: number | null | undefined;
  readonly signal: string | null | undefined;
  /** The last of what it wrote to stderr. */
  readonly stderrTail: string | undefined;

  constructor({ code, message, agent, phase, end, cause }: AgentErrorOptions) {
    // Its command line and its last words may hold keys, and errors end up in logs.
    const stderrTail = end?.stderrTail === undefined ? undefined : redactText(end.stderrTail);
    super(code, redactText(message) + quoteTail(stderrTail), cause === undefined ? undefined : { cause });
    this.agent = agent;
    this.phase = phase;
    this.exitCode = end?.exitCode;
    this.signal = end?.signal;
    this.stderrTail = stderrTail;
  }
}

/** The agent wants to be logged in to first. A normal state: offer its methods to the person. */
export class AuthRequiredError extends ParleyError {
  override readonly name = 'AuthRequiredError';
  readonly methods: readonly AuthMethod[];

  constructor(agent: string, methods: readonly AuthMethod[], cause: RpcError) {
    const names = methods.map(({ name, id }) => `${name} (${id})`).join(', ');
    const next =
      names === ''
        ? 'It offers no way to log in over ACP; log in with its own command.'
        : `Log in with one of: ${names}.`;
    super('auth_required', `${agent} needs you to log in before it opens a session. ${next}`, { cause });
    this.methods = methods;
  }
}

/** Something was asked of the agent that it did not advertise. Nothing was sent. */
export class CapabilityError extends ParleyError {
  override readonly name = 'CapabilityError';
  /** The path that was not advertised, such as `agentCapabilities.loadSession`. */
  readonly capability: string;

  constructor(what: string, capability: string) {
    super('capability_missing', `${what}: the agent does not advertise ${capability}. Nothing was sent.`);
    this.capability = capability;
  }
}

/** A call that does not fit what the session or the connection is doing, or that can never be right. */
export class UsageError extends ParleyError {
  override readonly name = 'UsageError';

  constructor(code: UsageErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(code, message, options);
  }
}

/** Something that the agent said in a turn could not be kept. The turn was cancelled and failed: its answer would not be whole. */
export class UpdateError extends ParleyError {
  override readonly name = 'UpdateError';

  constructor(code: UpdateErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(code, message, options);
  }
}

export type UpdateErrorCode =
  /** The agent said more than `maxTurnCharacters`. */
  | 'turn_too_long'
  /** An update could not be folded into the transcript. */
  | 'update_failed';

export type UsageErrorCode =
  /** A prompt while another runs, without `queue`. */
  | 'turn_running'
  /** More prompts wait than `maxQueuedPrompts`. */
  | 'queue_full'
  | 'session_closed'
  | 'connection_closed'
  /** The content of a prompt is not allowed; the message tells which block and why. */
  | 'invalid_prompt'
  /** A call with values that the protocol does not allow; the message names the path. */
  | 'invalid_request'
  /** An unknown mode, option, value or authentication method. */
  | 'unknown_choice'
  | 'invalid_path'
  /** An option that needs something this platform does not have. */
  | 'not_available'
  | 'invalid_settings';

function quoteTail(stderrTail: string | undefined): string {
  const lines = (stderrTail ?? '').trim().split('\n').slice(-QUOTED_STDERR_LINES);
  return lines[0] === '' ? '' : `\nIts last words on stderr:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

const QUOTED_STDERR_LINES = 8;
