import type { DiagnosticKind as ConnectionDiagnosticKind, DiagnosticFields } from '@parley/jsonrpc';

/** Something an agent's author should know of. Never holds what the person or the agent said. */
export interface AgentDiagnostic extends DiagnosticFields {
  readonly kind: AgentDiagnosticKind;
  /** What happened, for people. */
  readonly message: string;
  /** How many reports of this kind were left out since the last one, where they are throttled. */
  readonly suppressed?: number;
}

export type AgentDiagnosticKind =
  | ConnectionDiagnosticKind
  /** The prompt handler threw. */
  | 'turn_failed'
  /** A cancelled prompt handler did not end in time and is no longer waited for. */
  | 'turn_abandoned'
  /** Something was said for a turn that is over; it was dropped. */
  | 'turn_over'
  /** Something was said for a session that is closed; it was dropped. */
  | 'session_over'
  /** A tool call was still open when its turn ended; it was marked as failed. */
  | 'tool_call_left_open'
  /** A tool call was changed after its final status; the change was dropped. */
  | 'tool_call_final'
  /** A client reads so slowly that what happens can no longer wait for it in memory; it is told from the log. */
  | 'viewer_behind'
  /** A request had no answer that the protocol allows, because of how the agent was put together. */
  | 'invalid_answer'
  /** The session log could not be written or read. */
  | 'log_failed'
  /** A permission question could not be put, or its answer could not be used. */
  | 'permission_failed';

/** What is written to the console when the author listens to nothing. */
const SERIOUS: ReadonlySet<AgentDiagnosticKind> = new Set([
  'turn_failed',
  'turn_abandoned',
  'handler_failed',
  'invalid_answer',
  'log_failed',
  'send_failed',
]);

interface ConsoleLike {
  readonly console?: { error(...values: unknown[]): void };
}

/** A listener that cannot break what it listens to: when it throws, the console hears of it, and nobody else. */
export function safely(listener: (diagnostic: AgentDiagnostic) => void): (diagnostic: AgentDiagnostic) => void {
  return (diagnostic) => {
    try {
      listener(diagnostic);
    } catch {
      // Perhaps it was the error that could not be shown.
      const { kind, message } = diagnostic;
      reportToConsole({ kind, message });
    }
  };
}

/** Writes failures of the agent's own code to the console's error stream, which is never the wire. */
export function reportToConsole({ kind, message, error }: AgentDiagnostic): void {
  if (!SERIOUS.has(kind)) return;
  const { console } = globalThis as ConsoleLike;
  if (error === undefined) console?.error(`[agent] ${message}`);
  else console?.error(`[agent] ${message}`, error);
}
