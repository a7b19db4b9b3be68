import { ConnectionClosedError, RequestTimeoutError } from '@parley/jsonrpc';
import { ValidationError } from '@parley/protocol';
import { type AgentEnd, AgentError, UsageError } from '../errors.ts';
import type { Phase } from '../phase.ts';
import { type AgentWire, describeEnd } from '../source/agent-source.ts';

export interface Explanation {
  readonly agent: string;
  readonly phase: Phase | undefined;
  readonly wire: AgentWire;
}

/** Names agent, phase, exit code and last words where an error is about the agent itself; other errors pass unchanged. */
export function explain(error: unknown, { agent, phase, wire }: Explanation): unknown {
  const during = phase === undefined ? '' : ` during ${phase}`;
  if (error instanceof ConnectionClosedError && error.reason.kind === 'closed') {
    return new UsageError('connection_closed', `The connection to ${agent} was closed on this side.`, { cause: error });
  }
  if (error instanceof ConnectionClosedError) {
    const end = describeEnd(wire, error.reason);
    const hasExited = end.exitCode !== undefined || end.signal !== undefined;
    const message = hasExited
      ? `${agent} ${howItEnded(end)}${during}.${phase === 'initialize' ? whatItWrote(end) : ''}`
      : howItWasLost(agent, during, error.reason.error);
    return new AgentError({
      code: hasExited ? 'agent_exited' : 'connection_lost',
      message,
      agent,
      phase,
      end,
      cause: error,
    });
  }
  if (error instanceof RequestTimeoutError) {
    return new AgentError({
      code: 'deadline_passed',
      message: `${agent}: ${error.message}`,
      agent,
      phase,
      end: describeEnd(wire),
      cause: error,
    });
  }
  if (error instanceof ValidationError) {
    const message = `${agent} gave an answer that ACP does not allow${during}: ${error.message}.`;
    return new AgentError({ code: 'invalid_answer', message, agent, phase, cause: error });
  }
  return error;
}

/** A server that refuses us, or is none, was never connected to in the sense of the person who named it. */
function howItWasLost(agent: string, during: string, error: Error | undefined): string {
  if (error?.name === 'NetworkError' && (error as { kind?: unknown }).kind !== 'dropped') return error.message;
  return `The connection to ${agent} was lost${during}${error ? `: ${error.message}` : '.'}`;
}

/** A program that is no agent says so by what it prints. */
function whatItWrote({ firstNoise = '' }: AgentEnd): string {
  const line = firstNoise.trim();
  return line === '' ? '' : ` Instead of ACP it wrote: ${line.slice(0, MAX_NOISE_CHARACTERS)}`;
}

const MAX_NOISE_CHARACTERS = 200;

function howItEnded({ exitCode, signal }: AgentEnd): string {
  if (signal != null) return `was killed by ${signal}`;
  return exitCode == null ? 'ended' : `exited with code ${exitCode}`;
}
