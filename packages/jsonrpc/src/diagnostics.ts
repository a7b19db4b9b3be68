/** Something the connection noticed and lived through. Never holds params, results or error data. */
export interface Diagnostic {
  readonly kind: DiagnosticKind;
  readonly message: string;
  /** The local error behind it, where there is one. It stays on this side of the wire. */
  readonly error?: unknown;
  /** How many reports of this kind were left out since the last one. */
  readonly suppressed: number;
}

export type DiagnosticKind =
  | 'invalid_input'
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

export type Report = (kind: DiagnosticKind, message: string, error?: unknown) => void;

/** Passes reports on, at most `maxPerKind` of a kind in ten seconds, so that a hostile peer cannot flood a log. */
export function createThrottledReport(
  listener: ((diagnostic: Diagnostic) => void) | undefined,
  maxPerKind: number,
): Report {
  if (!listener) return () => {};
  const windows = new Map<DiagnosticKind, Window>();
  return (kind, message, error) => {
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
    listener(error === undefined ? { kind, message, suppressed } : { kind, message, error, suppressed });
  };
}
