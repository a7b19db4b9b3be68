import type { RequestId } from './message.ts';

/** Something the connection noticed and lived through. Never holds params, results or error data. */
export interface Diagnostic extends DiagnosticFields {
  readonly kind: DiagnosticKind;
  /** What happened, for people. */
  readonly message: string;
  /** How many reports of this kind were left out since the last one. */
  readonly suppressed: number;
}

/** What a diagnostic is about, for programs: each field where it is known. */
export interface DiagnosticFields {
  /** Which way the message went that it is about, seen from here. */
  readonly direction?: 'in' | 'out';
  readonly method?: string;
  /** The id of the request. */
  readonly id?: RequestId;
  readonly sessionId?: string;
  /** The local error behind it, where there is one. It stays on this side of the wire. */
  readonly error?: unknown;
}

export type DiagnosticKind =
  | 'invalid_input'
  | 'message_too_large'
  | 'invalid_message'
  | 'duplicate_id'
  | 'unsolicited_response'
  | 'malformed_response'
  | 'unknown_notification'
  | 'handler_failed'
  | 'overloaded'
  | 'send_failed';

const WINDOW_MS = 10_000;

interface Window {
  startedAt: number;
  reported: number;
  suppressed: number;
}

/** The fields of a report. From `params` only the id of a session is read. */
export interface ReportFields extends DiagnosticFields {
  readonly params?: unknown;
}

export type Report = (kind: DiagnosticKind, message: string, fields?: ReportFields) => void;

export interface ThrottleOptions {
  readonly maxPerKind: number;
  readonly sessionIdOf?: ((params: unknown) => string | undefined) | undefined;
}

/** Passes reports on, at most `maxPerKind` of a kind in ten seconds, so that a hostile peer cannot flood a log. */
export function createThrottledReport(
  listener: ((diagnostic: Diagnostic) => void) | undefined,
  { maxPerKind, sessionIdOf }: ThrottleOptions,
): Report {
  if (!listener) return () => {};
  const windows = new Map<DiagnosticKind, Window>();
  return (kind, message, { params, ...fields } = {}) => {
    const now = performance.now();
    let window = windows.get(kind);
    if (!window || now - window.startedAt > WINDOW_MS) {
      window = { startedAt: now, reported: 0, suppressed: window?.suppressed ?? 0 };
      windows.set(kind, window);
    }
    if (window.reported >= maxPerKind) {
      window.suppressed++;
      return;
    }
    window.reported++;
    const { suppressed } = window;
    window.suppressed = 0;
    const sessionId = sessionIdOf?.(params);
    listener({ kind, message, ...(sessionId !== undefined && { sessionId }), ...fields, suppressed });
  };
}
